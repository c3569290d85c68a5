package habemus.cli.options;

import habemus.cli.experiment.WorldOption;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.TwoColumnText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** What may be said to a command: its options in sections, for picocli to read and to explain. */
public final class CommandSyntax {

    private static final int OPTION_COLUMN_WIDTH = 30;

    private final CommandSpec spec = CommandSpec.create();
    private final Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();

    public CommandSyntax(Command command, String arguments) {
        spec.name("habemus " + command.name());
        var usage = spec.usageMessage();
        usage.width(TwoColumnText.WIDTH);
        usage.customSynopsis("habemus " + command.name() + " " + arguments);
        usage.description("", command.summary());
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options());
        usage.sectionMap().remove(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST);
    }

    /** The last thing in the help. */
    public CommandSyntax examples(String... commands) {
        var lines = new ArrayList<>(List.of("", commands.length == 1 ? "Example:" : "Examples:"));
        for (String command : commands) {
            lines.add("  " + command);
        }
        spec.usageMessage().footer(lines.toArray(String[]::new));
        return this;
    }

    /** What is said without an option. */
    public CommandSyntax positionals(String label, boolean several) {
        var words = PositionalParamSpec.builder().paramLabel(label);
        spec.addPositional(
                several
                        ? words.type(List.class)
                                .auxiliaryTypes(String.class)
                                .arity("0..*")
                                .build()
                        : words.type(String.class).index("0").arity("0..1").build());
        return this;
    }

    public CommandSyntax flag(String section, String name, String help) {
        return add(section, OptionSpec.builder(name).description(help).build());
    }

    public CommandSyntax helpOption(String section) {
        return add(
                section,
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("says this")
                        .build());
    }

    public CommandSyntax value(String section, String name, String label, String help) {
        var option = OptionSpec.builder(name).type(String.class).arity("1");
        return add(section, option.paramLabel(label).description(help).build());
    }

    public CommandSyntax values(String section, String name, String label, String help) {
        var option = OptionSpec.builder(name).type(List.class).auxiliaryTypes(String.class);
        return add(
                section, option.arity("1").paramLabel(label).description(help).build());
    }

    /** Understood, but not explained. Does nothing if the name is taken. */
    public CommandSyntax hiddenOption(String name, boolean flag) {
        if (!spec.optionsMap().containsKey(name)) {
            var option = flag
                    ? OptionSpec.builder(name)
                    : OptionSpec.builder(name).type(String.class).arity("1");
            spec.addOption(option.hidden(true).build());
        }
        return this;
    }

    /** Several algorithms may have the same option. */
    private CommandSyntax add(String section, OptionSpec option) {
        if (spec.optionsMap().containsKey(option.longestName())) {
            return this;
        }
        spec.addOption(option);
        sections.computeIfAbsent(section, any -> new ArrayList<>()).add(option);
        return this;
    }

    private String options() {
        var text = new TwoColumnText(2, OPTION_COLUMN_WIDTH);
        sections.forEach((heading, options) -> {
            text.line("").line(heading);
            for (OptionSpec option : options) {
                var names = String.join(", ", option.names());
                var label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                text.row(names + label, option.description()[0]);
            }
        });
        return text.toString();
    }

    public String usageText() {
        return new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    /** @throws CommandException if this cannot be understood */
    public ParseResult parse(List<String> args) {
        var line = new CommandLine(spec).setExpandAtFiles(false);
        try {
            return line.parseArgs(args.toArray(String[]::new));
        } catch (CommandLine.UnmatchedArgumentException unknown) {
            throw unknownArgument(unknown.getUnmatched().getFirst());
        } catch (CommandLine.MissingParameterException missing) {
            throw missing.getMissing().getFirst() instanceof OptionSpec option
                    ? missingValue(option)
                    : CommandException.usage(oneLine(missing), seeHelp());
        } catch (CommandLine.OverwrittenOptionException twice) {
            var name = ((OptionSpec) twice.getOverwritten()).longestName();
            throw CommandException.usage(name + " is given twice", "give it once");
        } catch (CommandLine.ParameterException wrong) {
            throw CommandException.usage(oneLine(wrong), seeHelp());
        }
    }

    private CommandException unknownArgument(String word) {
        if (!word.startsWith("-") || word.equals("-")) {
            return CommandException.usage("'" + word + "' is one word too many", seeHelp());
        }
        var name = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        var shown = sections.values().stream()
                .flatMap(List::stream)
                .map(OptionSpec::longestName)
                .toList();
        return CommandException.usage("there is no option " + name, SpellingSuggestion.hint(name, shown) + seeHelp());
    }

    private CommandException missingValue(OptionSpec option) {
        var name = option.longestName();
        var hint = WorldOption.find(name)
                .map(world -> "write it as in " + world.example())
                .orElse("write it as " + name + " " + option.paramLabel());
        return CommandException.usage(name + " needs a value", hint);
    }

    private String seeHelp() {
        return spec.name() + " --help shows all options";
    }

    private static String oneLine(CommandLine.ParameterException wrong) {
        return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("").trim();
    }
}
