package habemus.lab.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the words of a command: {@code --name value}, {@code --name=value}, {@code -n 5}, {@code -n5}, flags. All
 * words after {@code --} are positional.
 */
public final class CommandLineParser {

    private static final String END_OF_OPTIONS = "--";

    private final String command;
    private final int maxPositionals;
    private final Map<String, OptionSyntax> known = new LinkedHashMap<>();

    /**
     * @param command the name of the command, for hints
     * @param options if two have the same name, the first one counts
     */
    public CommandLineParser(String command, int maxPositionals, Collection<OptionSyntax> options) {
        this.command = command;
        this.maxPositionals = maxPositionals;
        options.forEach(option -> known.putIfAbsent(option.name(), option));
    }

    /**
     * The words of a line, without {@code habemus} and the name of the command at its start.
     *
     * @throws CommandException if the line is not quoted as in a shell
     */
    public static List<String> split(String line, String command) {
        try {
            var words = ShellSyntax.split(line);
            int first = !words.isEmpty() && words.getFirst().matches("(\\./)?habemus") ? 1 : 0;
            boolean named = first < words.size() && words.get(first).equals(command);
            return words.subList(named ? first + 1 : first, words.size());
        } catch (IllegalArgumentException unreadable) {
            throw CommandException.usage(String.valueOf(unreadable.getMessage()), "quote the command as in a shell");
        }
    }

    /** @throws CommandException if the words do not match the syntax */
    public CommandLineArguments parse(List<String> words) {
        var options = new LinkedHashMap<String, List<String>>();
        var positionals = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            var word = words.get(i);
            if (word.equals(END_OF_OPTIONS)) {
                positionals.addAll(words.subList(i + 1, words.size()));
                break;
            }
            var option = find(word);
            if (option.isEmpty()) {
                positionals.add(positional(word));
                continue;
            }
            var attached = attachedValue(option.get(), word);
            boolean isSeparate = attached.isEmpty()
                    && !option.get().isFlag()
                    && option.get().bareValue().isEmpty();
            i += isSeparate ? 1 : 0;
            add(options, option.get(), isSeparate ? separateValue(option.get(), words, i) : attached.orElse(""));
        }
        if (positionals.size() > maxPositionals) {
            throw unexpected(positionals.get(maxPositionals));
        }
        return new CommandLineArguments(options, positionals);
    }

    /** The option that a word names, perhaps with an attached value. */
    private Optional<OptionSyntax> find(String word) {
        var option = known.get(word);
        if (option == null && word.contains("=")) {
            option = known.get(word.substring(0, word.indexOf('=')));
        }
        if (option == null && word.length() > 2) {
            var candidate = known.get(word.substring(0, 2));
            option = candidate != null && candidate.isShort() ? candidate : null;
        }
        return Optional.ofNullable(option);
    }

    /** Empty if the value is the next word. */
    private static Optional<String> attachedValue(OptionSyntax option, String word) {
        int end = option.name().length();
        if (word.length() == end) {
            return option.bareValue();
        }
        var value = word.substring(word.charAt(end) == '=' ? end + 1 : end);
        if (option.isFlag() && !option.bareValue().equals(Optional.of(value))) {
            throw valueOfFlag(option.name(), value);
        }
        return Optional.of(value);
    }

    public static CommandException valueOfFlag(String option, String value) {
        return CommandException.usage(option + " has no value, was '" + value + "'", "write " + option);
    }

    private String separateValue(OptionSyntax option, List<String> words, int index) {
        boolean isMissing = index == words.size()
                || words.get(index).equals(END_OF_OPTIONS)
                || find(words.get(index)).isPresent();
        if (isMissing) {
            throw CommandException.usage(option.name() + " needs a value", "write " + option.example());
        }
        return words.get(index);
    }

    private static void add(Map<String, List<String>> options, OptionSyntax option, String value) {
        var values = options.computeIfAbsent(option.name(), any -> new ArrayList<>());
        if (!values.isEmpty() && !option.isRepeatable()) {
            throw CommandException.usage(option.name() + " is given twice", "give it once");
        }
        option.type().parse(option.name(), value);
        values.add(value);
    }

    private String positional(String word) {
        if (word.startsWith("-") && word.length() > 1) {
            throw unknown(word.split("=", 2)[0]);
        }
        return word;
    }

    private CommandException unknown(String name) {
        var names = known.values().stream()
                .filter(option -> !option.isHidden())
                .map(OptionSyntax::name)
                .toList();
        return CommandException.usage("unknown option: " + name, SpellingSuggestion.hint(name, names) + seeHelp());
    }

    private CommandException unexpected(String word) {
        return CommandException.usage("unexpected argument: '" + word + "'", seeHelp());
    }

    private String seeHelp() {
        return "habemus " + command + " --help lists the options";
    }
}
