# Completion of mezzotint in bash, for the package bash-completion. The program itself says what fits
# (`mezzotint complete`), so that this script knows no option.
# shellcheck shell=bash disable=SC2034 # words of _get_comp_words_by_ref

_mezzotint() {
  local cur prev words cword word meaning program
  _get_comp_words_by_ref -n =: cur prev words cword || return
  program=${words[0]/#\~/$HOME}
  COMPREPLY=()
  local given=("${words[@]:1:cword}")
  given[cword - 1]=$cur
  [[ $cur == --*=* ]] && cur=${cur#*=}
  while IFS=$'\t' read -r word meaning; do
    case $word in
      :files) _filedir "${meaning:+@(${meaning// /|})}" ;;
      :folders) _filedir -d ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <("$program" complete -- "${given[@]}" 2>/dev/null)
  __ltrim_colon_completions "$cur"
} && complete -F _mezzotint mezzotint
