package habemus.cli.terminal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Suggests the known word that is most similar to a misspelt word, as picocli does for its subcommands. */
public final class SpellingSuggestion {

    private SpellingSuggestion() {}

    /** For a hint: {@code did you mean bully? } or the empty string. */
    public static String hint(String written, Collection<String> known) {
        var spec = CommandSpec.create();
        known.forEach(name -> spec.addSubcommand(name, CommandSpec.create()));
        return hint(new UnmatchedArgumentException(new CommandLine(spec), List.of(written))
                .getSuggestions().stream().findFirst());
    }

    public static String hint(Optional<String> suggestion) {
        return suggestion.map(word -> "did you mean " + word + "? ").orElse("");
    }
}
