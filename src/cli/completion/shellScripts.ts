// Completion scripts for shells. They all ask the program, which prints candidates, each with its description after a tab, and finally a
// colon and cobra's directive: bit 2 means no space follows, bit 4 that files do not match.

/** The script that kubectl runs as kubectl_complete-karmada_failover. */
const kubectl = `#!/bin/sh
# Completes "kubectl karmada-failover". Save it as kubectl_complete-karmada_failover on the PATH, and make it executable.
exec kubectl-karmada_failover __complete "$@"
`;

const bash = `# Completes kubectl-karmada_failover in bash: source this.
_kubectl_karmada_failover() {
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} words lines=() directive= each
  read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  while IFS= read -r each; do lines+=("$each"); done < <("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)
  ((\${#lines[@]})) || return
  directive=\${lines[\${#lines[@]}-1]#:}
  unset "lines[\${#lines[@]}-1]"
  # bash takes what is before the last = or : for a word of its own
  local typed=\${words[\${#words[@]}-1]} kept=
  [[ $typed == *[=:]* && $COMP_WORDBREAKS == *[=:]* ]] && kept=\${typed%"\${typed##*[=:]}"}
  COMPREPLY=()
  for each in "\${lines[@]}"; do
    each=\${each%%$'\\t'*}
    COMPREPLY+=("\${each#"$kept"}")
  done
  ((directive & 2)) && compopt -o nospace
  ((directive & 4)) || compopt -o default
}
complete -F _kubectl_karmada_failover kubectl-karmada_failover
`;

const zsh = `#compdef kubectl-karmada_failover
# Completes kubectl-karmada_failover in zsh: save it as _kubectl-karmada_failover in a directory of fpath, or source it after compinit.
_kubectl-karmada_failover() {
  local -a lines described spaces
  local line directive
  lines=("\${(@f)$(\${(Q)words[1]} __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  directive=\${lines[-1]#:}
  for line in "\${(@)lines[1,-2]}"; do
    if [[ $line == *$'\\t'* ]]; then described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else described+=("\${line//:/\\\\:}"); fi
  done
  ((directive & 2)) && spaces=(-S '')
  _describe 'kubectl-karmada_failover' described "\${spaces[@]}" && return
  ((directive & 4)) || _files
}
if [[ $funcstack[1] == _kubectl-karmada_failover ]]; then _kubectl-karmada_failover "$@"
else compdef _kubectl-karmada_failover kubectl-karmada_failover; fi
`;

const fish = `# Completes kubectl-karmada_failover in fish: save it as ~/.config/fish/completions/kubectl-karmada_failover.fish.
function __kubectl_karmada_failover
  set -l words (commandline -opc)
  set -l typed (commandline -ct | string collect --allow-empty)
  set -l lines ($words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
  set -l directive (string replace ':' '' -- $lines[-1])
  string join \\n -- $lines[1..-2]
  test (math "bitand($directive, 4)") -eq 0; and __fish_complete_path "$typed"
end
complete -c kubectl-karmada_failover -f -a '(__kubectl_karmada_failover)'
`;

const powershell = `# Completes kubectl-karmada_failover in PowerShell: dot-source this in $PROFILE.
Register-ArgumentCompleter -Native -CommandName 'kubectl-karmada_failover', 'kubectl-karmada_failover.exe' -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $position } | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' } }
  & $line.CommandElements[0].ToString() __complete @words 2>$null | Where-Object { $_ -notmatch '^:\\d+$' } | ForEach-Object {
    $name, $what = $_ -split "\`t", 2
    if (-not $what) { $what = $name }
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $what)
  }
}
`;

export const shellScripts = { kubectl, bash, zsh, fish, powershell };
