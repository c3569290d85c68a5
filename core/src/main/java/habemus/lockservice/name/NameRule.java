package habemus.lockservice.name;

import java.text.Normalizer;
import java.util.Optional;

/**
 * The rule for names of locks, semaphores, elections, clients, owners and principals. It is the same in the client
 * library, at the node and in the HTTP API.
 *
 * <p>Two names that look the same are the same: characters that are not visible are refused, and so is a text that is
 * not in composed form (NFC). The names {@code .} and {@code ..} are refused because clients remove them from the path
 * of a URL. All others work in a path, percent-encoded.
 */
public final class NameRule {

    /** The longest name, in UTF-16 units. */
    public static final int MAX_CHARACTERS = 200;

    /** What a user can do about a name that is refused. */
    public static final String HINT =
            "use 1 to " + MAX_CHARACTERS + " letters, digits, punctuation and spaces, but not . or .. alone";

    private NameRule() {}

    /** What is wrong with a name, such as {@code must not be blank}. */
    public static Optional<String> violation(String name) {
        if (name.isBlank()) {
            return Optional.of("must not be blank");
        }
        if (name.length() > MAX_CHARACTERS) {
            return Optional.of("must have at most " + MAX_CHARACTERS + " characters, has " + name.length());
        }
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("must not be . or ..");
        }
        var refused = name.codePoints()
                .filter(codePoint -> !PrintableText.isPrintable(codePoint))
                .findFirst();
        if (refused.isPresent()) {
            return Optional.of("must not contain " + "U+%04X".formatted(refused.getAsInt())
                    + " (a control, format or other invisible character)");
        }
        return Normalizer.isNormalized(name, Normalizer.Form.NFC)
                ? Optional.empty()
                : Optional.of("must be in composed form (Unicode NFC)");
    }

    public static boolean isValid(String name) {
        return violation(name).isEmpty();
    }

    /**
     * Returns the name.
     *
     * @param what is named, such as {@code lock name}
     * @throws IllegalArgumentException if the name is refused
     */
    public static String require(String what, String name) {
        violation(name).ifPresent(reason -> {
            throw new IllegalArgumentException(
                    what + " " + reason + ", was '" + PrintableText.escape(name) + "'\nhint: " + HINT);
        });
        return name;
    }
}
