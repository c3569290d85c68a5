package habemus.lab.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known word that is most similar to a misspelt word. */
public final class SpellingSuggestion {

    private SpellingSuggestion() {}

    /** For a hint: {@code did you mean bully? } or the empty string. */
    public static String hint(String written, Collection<String> known) {
        return hint(find(written, known));
    }

    public static String hint(Optional<String> suggestion) {
        return suggestion.map(word -> "did you mean " + word + "? ").orElse("");
    }

    /** The word with the fewest edits, if it contains the written one or at most two of five letters are edited. */
    public static Optional<String> find(String written, Collection<String> known) {
        return known.stream()
                .filter(word -> isPart(written, word)
                        || 5 * edits(written, word) <= 2 * Math.max(written.length(), word.length()))
                .min(Comparator.comparingInt(word -> edits(written, word)));
    }

    private static boolean isPart(String written, String word) {
        return written.length() >= 3 && word.contains(written);
    }

    /** The Levenshtein distance: how many letters are inserted, deleted or replaced. */
    private static int edits(String from, String to) {
        var previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            var current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
