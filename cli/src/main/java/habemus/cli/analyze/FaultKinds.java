package habemus.cli.analyze;

import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.world.FaultKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A list of fault kinds on the command line, such as {@code crash,restart}. */
final class FaultKinds {

    private FaultKinds() {}

    static List<String> names() {
        return Arrays.stream(FaultKind.values()).map(FaultKind::toString).toList();
    }

    /** @throws CommandException if a word is no fault kind */
    static Set<FaultKind> parse(String option, String text) {
        var faults = EnumSet.noneOf(FaultKind.class);
        for (String word : text.split(",", -1)) {
            faults.add(Arrays.stream(FaultKind.values())
                    .filter(fault -> fault.toString().equals(word))
                    .findFirst()
                    .orElseThrow(() -> CommandException.usage(
                            option + ": unknown fault: '" + word + "'",
                            SpellingSuggestion.hint(word, names()) + "faults: " + String.join(", ", names()))));
        }
        return faults;
    }
}
