package cli

import (
	_ "embed"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
)

// completionBash follows cobra's script for bash.
//
//go:embed completion.bash
var completionBash string

// shells lists the shells with a completion script.
var shells = []string{"bash", "fish", "powershell", "zsh"}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash | fish | powershell | zsh",
		Short: "print a script that completes commands, flags and names in a shell",
		Example: `  source <(limitgauge completion bash)
  limitgauge completion zsh > "${fpath[1]}/_limitgauge"
  limitgauge completion fish > ~/.config/fish/completions/limitgauge.fish
  limitgauge completion powershell | Out-String | Invoke-Expression`,
		Args:                  usage.Arguments(1, 1),
		ValidArgs:             shells,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			switch root := c.Root(); args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(a.Out, true); err != nil {
					return err
				}
				_, err := io.WriteString(a.Out, completionBash)
				return err
			case "fish":
				return root.GenFishCompletion(a.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Out)
			case "zsh":
				return root.GenZshCompletion(a.Out)
			}
			return usage.Errorf("no completion for %q: one of %s%s", args[0], strings.Join(shells, ", "), scenarios.Suggest(args[0], shells))
		},
	}
}

// helpCommand returns cobra's help command, with an error for an unknown topic.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND [COMMAND] [all] | TOPIC]",
		Short:                 "print the help of a command, with all of its flags in full, or a page on a topic",
		Args:                  usage.Arguments(0, 3),
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, other := range c.Root().Commands() {
				if len(args) == 0 && !other.Hidden {
					names = append(names, cobra.CompletionWithDesc(other.Name(), other.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Root().Help()
			}
			other, rest, err := c.Root().Find(args)
			all := len(rest) == 1 && rest[0] == usage.All && other.Runnable()
			if err == nil && (len(rest) == 0 || all) && other.HasParent() {
				if all {
					other.Annotations = map[string]string{usage.All: "true"}
				}
				return other.Help()
			}
			return describe.UnknownTopic(c.Root(), strings.Join(args, " "))
		},
	}
}
