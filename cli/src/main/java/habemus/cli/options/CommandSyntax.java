package habemus.cli.options;

import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.command.CommandException;
import habemus.lab.command.CommandLineParser;
import habemus.lab.command.OptionSyntax;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.command.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The syntax of a command: its options by section. Picocli parses them and prints the help. */
public final class CommandSyntax {

    private static final int OPTION_COLUMN_WIDTH = 30;
    private static final String JSON_HELP = "prints one JSON document and nothing else";

    /** Lets picocli convert and check the text of a value. */
    private record ValueConverter(ValueType<?> type) implements ITypeConverter<Object> {
        @Override
        public Object convert(String text) {
            try {
                return Objects.requireNonNull(type.parser().apply(text));
            } catch (IllegalArgumentException invalid) {
                throw new TypeConversionException(type.rule());
            }
        }
    }

    private final CommandSpec spec = CommandSpec.create();
    private final String summary;
    private final Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    private final Map<String, String> examples = new HashMap<>();
    private final List<String> footer = new ArrayList<>();

    public CommandSyntax(Subcommand command, String arguments) {
        spec.name("habemus " + command.name());
        var usage = spec.usageMessage();
        usage.customSynopsis("habemus " + command.name() + " " + arguments);
        summary = command.summary();
        usage.sectionMap().remove(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST);
    }

    /** Example command lines, printed at the end of the help. */
    public CommandSyntax examples(String... commands) {
        return addToFooter(commands.length == 1 ? "Example:" : "Examples:", commands);
    }

    /** What the exit codes of this command mean, such as {@code 0  every mutant is killed}. */
    public CommandSyntax exitCodes(String... meanings) {
        return addToFooter("Exit codes:", meanings);
    }

    private CommandSyntax addToFooter(String heading, String... lines) {
        footer.add("");
        footer.add(heading);
        for (String line : lines) {
            footer.add("  " + line);
        }
        spec.usageMessage().footer(footer.toArray(String[]::new));
        return this;
    }

    /** Arguments that are not options. */
    public CommandSyntax positionals(String label, boolean several) {
        var positional = PositionalParamSpec.builder().paramLabel(label);
        spec.addPositional(
                several
                        ? positional
                                .type(List.class)
                                .auxiliaryTypes(String.class)
                                .arity("0..*")
                                .build()
                        : positional.type(String.class).index("0").arity("0..1").build());
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
                        .description("prints this help")
                        .build());
    }

    public CommandSyntax jsonFlag(String section) {
        return flag(section, "--json", JSON_HELP);
    }

    public CommandSyntax colorOption(String section) {
        var when = ValueType.choice("auto", "always", "never").withDefault("auto");
        return value(section, "--color", "WHEN", when, "auto, always or never");
    }

    /** An option with any text as its value. */
    public CommandSyntax value(String section, String name, String label, String help) {
        var option = OptionSpec.builder(name).type(String.class).arity("1");
        return add(section, option.paramLabel(label).description(help).build());
    }

    /** An option with a typed value. The help shows its default. */
    public CommandSyntax value(String section, String name, String label, ValueType<?> type, String help) {
        var option = OptionSpec.builder(name)
                .type(Object.class)
                .converters(new ValueConverter(type))
                .arity("1")
                .paramLabel(label);
        type.defaultText().ifPresent(option::defaultValue);
        var defaultHelp =
                type.defaultText().map(text -> " (default: " + text + ")").orElse("");
        return add(section, option.description(help + defaultHelp).build());
    }

    /** An option that may be given several times. */
    public CommandSyntax values(String section, String name, String label, String help) {
        var option = OptionSpec.builder(name).type(List.class).auxiliaryTypes(String.class);
        return add(
                section, option.arity("1").paramLabel(label).description(help).build());
    }

    /** An example for the hint that is printed if the option has no value. */
    public CommandSyntax exampleValue(String name, String example) {
        examples.put(name, example);
        return this;
    }

    /** Parsed, but not shown in the help. Does nothing if the option exists already. */
    public CommandSyntax hiddenOption(String name, boolean flag) {
        if (!spec.optionsMap().containsKey(name)) {
            var option = flag
                    ? OptionSpec.builder(name)
                    : OptionSpec.builder(name).type(String.class).arity("1");
            spec.addOption(option.hidden(true).build());
        }
        return this;
    }

    /** Does nothing if the option exists already: several algorithms may share one. */
    private CommandSyntax add(String section, OptionSpec option) {
        if (spec.optionsMap().containsKey(option.longestName())) {
            return this;
        }
        spec.addOption(option);
        sections.computeIfAbsent(section, any -> new ArrayList<>()).add(option);
        return this;
    }

    private String options(int columns) {
        var text = new TwoColumnText(columns, 2, OPTION_COLUMN_WIDTH);
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

    /** The help in the language of the terminal; what the options do is in English. */
    public String usageText(Terminal terminal) {
        var usage = spec.usageMessage();
        usage.width(Math.min(TwoColumnText.WIDTH, terminal.columns()));
        usage.description("", terminal.translation().of(summary));
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options(terminal.columns()));
        return new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    /** @throws CommandException if the arguments do not match the syntax */
    public ParseResult parse(List<String> args) {
        var line = new CommandLine(spec).setExpandAtFiles(false);
        try {
            var parsed = line.parseArgs(args.toArray(String[]::new));
            parsed.matchedOptions().forEach(CommandSyntax::rejectValueOfFlag);
            return parsed;
        } catch (CommandLine.UnmatchedArgumentException unknown) {
            throw unknownArgument(unknown);
        } catch (CommandLine.MissingParameterException missing) {
            throw missing.getMissing().getFirst() instanceof OptionSpec option
                    ? missingValue(option)
                    : CommandException.usage(firstLine(missing), seeHelp());
        } catch (CommandLine.OverwrittenOptionException twice) {
            var name = ((OptionSpec) twice.getOverwritten()).longestName();
            throw CommandException.usage(name + " is given twice", "give it once");
        } catch (CommandLine.ParameterException invalid) {
            throw invalid.getArgSpec() instanceof OptionSpec option
                            && option.converters().length == 1
                            && option.converters()[0] instanceof ValueConverter converter
                    ? converter.type().invalid(option.longestName(), String.valueOf(invalid.getValue()))
                    : CommandException.usage(firstLine(invalid), seeHelp());
        }
    }

    /** Picocli also accepts {@code --flag=false}. */
    private static void rejectValueOfFlag(OptionSpec option) {
        if (option.arity().max() == 0 && !option.stringValues().equals(List.of(OptionSyntax.GIVEN))) {
            throw CommandLineParser.valueOfFlag(
                    option.longestName(), option.stringValues().getFirst());
        }
    }

    private CommandException unknownArgument(CommandLine.UnmatchedArgumentException unknown) {
        var argument = unknown.getUnmatched().getFirst();
        if (!argument.startsWith("-") || argument.equals("-")) {
            return CommandException.usage("unexpected argument: '" + argument + "'", seeHelp());
        }
        var similar = unknown.getSuggestions().stream()
                .filter(name -> sections.values().stream()
                        .flatMap(List::stream)
                        .anyMatch(option -> option.longestName().equals(name)))
                .findFirst();
        return CommandException.usage(
                "unknown option: " + argument.split("=", 2)[0], SpellingSuggestion.hint(similar) + seeHelp());
    }

    private CommandException missingValue(OptionSpec option) {
        var name = option.longestName();
        var example = examples.getOrDefault(name, name + " " + option.paramLabel());
        return CommandException.usage(name + " needs a value", "write " + example);
    }

    private String seeHelp() {
        return spec.name() + " --help lists the options";
    }

    private static String firstLine(CommandLine.ParameterException error) {
        return String.valueOf(error.getMessage()).lines().findFirst().orElse("").trim();
    }
}
