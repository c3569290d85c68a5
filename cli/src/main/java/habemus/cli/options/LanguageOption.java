package habemus.cli.options;

import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.language.Language;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@code --lang}: the language of summaries and explanations, an option of every command. */
public final class LanguageOption {

    public static final String HELP =
            "Language of summaries and explanations: en or pt. Without it, LC_ALL and LANG decide.";

    private static final String NAME = "--lang";
    private static final List<String> CODES =
            Arrays.stream(Language.values()).map(Language::code).toList();

    private LanguageOption() {}

    /** The arguments without this option. What follows {@code --} belongs to another command. */
    public static List<String> remove(List<String> args) {
        var rest = new ArrayList<>(args);
        for (int i = 0; i < end(rest); ) {
            if (rest.get(i).equals(NAME)) {
                rest.subList(i, Math.min(i + 2, rest.size())).clear();
            } else if (rest.get(i).startsWith(NAME + "=")) {
                rest.remove(i);
            } else {
                i++;
            }
        }
        return List.copyOf(rest);
    }

    /** @throws CommandException if the option has no value, or an unknown one */
    public static Terminal applyTo(Terminal terminal, List<String> args) {
        var result = terminal;
        for (int i = 0; i < end(args); i++) {
            var argument = args.get(i);
            if (argument.equals(NAME)) {
                result = result.withLanguage(language(i + 1 < args.size() ? args.get(i + 1) : ""));
            } else if (argument.startsWith(NAME + "=")) {
                result = result.withLanguage(language(argument.substring(NAME.length() + 1)));
            }
        }
        return result;
    }

    private static int end(List<String> args) {
        return args.contains("--") ? args.indexOf("--") : args.size();
    }

    private static Language language(String code) {
        if (!CODES.contains(code)) {
            throw CommandException.usage(
                    NAME + " must be one of " + String.join(", ", CODES) + ", was '" + code + "'",
                    "write " + NAME + " " + Language.ENGLISH.code());
        }
        return Language.of(code);
    }
}
