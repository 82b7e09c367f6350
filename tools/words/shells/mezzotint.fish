# Completion of mezzotint in fish. The program itself says what fits (`mezzotint complete`), so that
# this script knows no option.

# Files that complete $argv[1], with one of the suffixes $argv[2..]; folders; of others, all.
function __mezzotint_files
    set -l files (complete -C "__fish_command_without_completions $argv[1]")
    set -l pattern '(/|\.('(string join '|' -- $argv[2..])'))$'
    set -l fitting (string match -ri -- ".*$pattern" $files | string match -r '.*[./].*')
    if set -q argv[2]; and set -q fitting[1]
        printf '%s\n' $fitting
    else
        printf '%s\n' $files
    end
end

function __mezzotint_complete
    set -l given (commandline -opc)
    set -l word (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' "$word")
    set -l value (string replace -r -- '^--[^=]*=' '' "$word")
    for line in (command $given[1] complete -- $given[2..] "$word" 2>/dev/null)
        switch $line
            case ':files*'
                printf '%s\n' "$option"(__mezzotint_files "$value" (string split -n ' ' -- (string replace -r '^:files\t?' '' -- $line)))
            case :folders
                printf '%s\n' "$option"(__fish_complete_directories "$value")
            case '*'
                printf '%s\n' "$option$line"
        end
    end
end

complete -c mezzotint -f -a '(__mezzotint_complete)'
