#compdef mezzotint
# Completion of mezzotint in zsh. The program itself says what fits (`mezzotint complete`), so that
# this script knows no option.

_mezzotint() {
  local line word tab=$'\t' files= folders=
  local -a names options
  local -a given=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
  for line in "${(@f)$(${(Q)~words[1]} complete -- "$given[@]" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :folders) folders=yes ;;
      :files) files='*' ;;
      :files*) files="*.(#i)(${${line#*$tab}// /|})(-.)" ;;
      *)
        word=${line%%$tab*}
        word="${word//:/\\:}:${${line#$word}#$tab}"
        if [[ $word == -* ]]; then options+=("$word"); else names+=("$word"); fi
        ;;
    esac
  done
  [[ $PREFIX == --*=* ]] && compset -P 1 '*='
  local found=1
  (($#names)) && _describe word names && found=0
  (($#options)) && _describe -o option options && found=0
  [[ -n $files ]] && _files -g "$files" && found=0
  [[ -n $folders ]] && _files -/ && found=0
  return found
}

# Autoloaded by compinit from a folder of fpath, or sourced.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _mezzotint "$@"
else
  compdef _mezzotint mezzotint
fi
