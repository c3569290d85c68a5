package habemus.cli.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the known word nearest to a misspelt word. */
public final class SpellingSuggestion {

    private SpellingSuggestion() {}

    /** Empty if no known word is near enough. */
    static Optional<String> nearest(String written, Collection<String> known) {
        int maxDistance = Math.max(2, written.length() / 3);
        return known.stream()
                .filter(word -> distance(written, word) <= maxDistance || isPart(written, word))
                .min(Comparator.comparingInt(word -> distance(written, word)));
    }

    /** For a hint: {@code did you mean bully? } or the empty string. */
    public static String hint(String written, Collection<String> known) {
        return nearest(written, known)
                .map(word -> "did you mean " + word + "? ")
                .orElse("");
    }

    private static boolean isPart(String written, String word) {
        return written.length() >= 4 && word.contains(written);
    }

    /** The Levenshtein distance. */
    static int distance(String word, String other) {
        var row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= word.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int change = diagonal + (word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
