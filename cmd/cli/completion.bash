
# The functions below replace those of the same name above, which complete no word
# with a comma, because printf %q escapes it, and no word in open quotes.

# __limitgauge_quoted sets quoted to a word as one types it after the quotation
# mark in quote, or without quotes.
__limitgauge_quoted() {
    case $quote in
    \')
        quoted=${1//\'/\'\\\'\'}
        ;;
    \")
        quoted=${1//\\/\\\\}
        quoted=${quoted//\"/\\\"}
        quoted=${quoted//\$/\\\$}
        quoted=${quoted//\`/\\\`}
        ;;
    *)
        printf -v quoted %q "$1"
        quoted=${quoted//\\,/,}
        ;;
    esac
}

# __limitgauge_open_quote sets quote to the quotation mark that begins a word
# and that nothing closes.
__limitgauge_open_quote() {
    quote=
    case ${1:0:1} in
    \' | \") [[ ${1:1} == *"${1:0:1}" ]] || quote=${1:0:1} ;;
    esac
}

# __limitgauge_get_completion_results asks the program for words, and sets out
# and directive.
__limitgauge_get_completion_results() {
    local quote request="${words[0]} __complete ${words[*]:1}"
    __limitgauge_open_quote "$cur"
    request+=$quote
    if [[ -z $cur && ${words[${#words[@]} - 1]} != *= ]]; then
        request+=" ''"
    fi
    if [[ $cur == -*=* ]]; then
        cur=${cur#*=}
    fi
    out=$(eval "$request" 2>/dev/null)
    directive=${out##*:}
    out=${out%:*}
    [[ $directive != "$out" ]] || directive=0
}

# __limitgauge_handle_completion_types sets COMPREPLY to the words that continue
# cur, or to what all of them begin with if that is longer. bash inserts what is
# common to COMPREPLY as it is, so the words have descriptions only where bash
# inserts nothing or where nothing common needs quotes.
__limitgauge_handle_completion_types() {
    local tab=$'\t' quote quoted typed line word common= longest=0 plain=()
    __limitgauge_open_quote "$cur"
    typed=${cur#"$quote"}
    typed=${typed//\\,/,}
    for line in "${completions[@]}"; do
        word=${line%%$tab*}
        __limitgauge_quoted "$word"
        [[ $quoted == "$typed"* ]] || continue
        ((${#plain[@]})) || common=$word
        while [[ $word != "$common"* ]]; do common=${common%?}; done
        plain+=("$quoted")
        COMPREPLY+=("$line")
        ((${#word} <= longest)) || longest=${#word}
    done
    __limitgauge_quoted "$common"
    if ((${#plain[@]} <= 1)) || [[ $COMP_TYPE == 37 || $COMP_TYPE == 42 ]]; then
        COMPREPLY=("${plain[@]}") # one word, or a menu that inserts them
    elif [[ -z $quote && -n $common && $quoted != "$typed" ]]; then
        COMPREPLY=("$quoted")
        compopt -o nospace 2>/dev/null
    elif [[ $COMP_TYPE == 63 || $quoted == "$common" ]]; then
        __limitgauge_format_comp_descriptions $longest
    else
        COMPREPLY=("${plain[@]}")
    fi
}
