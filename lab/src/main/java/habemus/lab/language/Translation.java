package habemus.lab.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The texts of commands in a language. The English text is written where it is used, and is the key of its translation
 * in {@code pt.txt}: an English line, and below it the indented Portuguese one.
 */
public final class Translation {

    private static final Translation ENGLISH = new Translation(Map.of());
    private static final String PORTUGUESE_FILE = "pt.txt";

    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");

    private final Map<String, String> texts;

    private Translation(Map<String, String> texts) {
        this.texts = texts;
    }

    public static Translation to(Language language) {
        return switch (language) {
            case ENGLISH -> ENGLISH;
            case PORTUGUESE -> new Translation(read());
        };
    }

    /** The text in this language; the English text if it has no translation. A number is a {@code #} in the file. */
    public String of(String english) {
        var exact = texts.get(english);
        if (exact != null) {
            return exact;
        }
        var translated = texts.get(key(english));
        if (translated == null) {
            return english;
        }
        for (String number :
                NUMBER.matcher(english).results().map(MatchResult::group).toList()) {
            translated = translated.replaceFirst("#", number);
        }
        return translated;
    }

    /** The text with its numbers replaced by {@code #}. */
    static String key(String english) {
        return NUMBER.matcher(english).replaceAll("#");
    }

    public boolean has(String english) {
        return texts.containsKey(english) || texts.containsKey(key(english));
    }

    /** The English texts that have a translation. */
    public Set<String> keys() {
        return texts.keySet();
    }

    private static Map<String, String> read() {
        try (var file = Objects.requireNonNull(Translation.class.getResourceAsStream(PORTUGUESE_FILE))) {
            var texts = new LinkedHashMap<String, String>();
            var key = "";
            for (String line : new String(file.readAllBytes(), UTF_8).lines().toList()) {
                if (line.startsWith(" ")) {
                    texts.merge(key, line.strip(), (first, next) -> first + " " + next);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    key = line;
                }
            }
            return texts;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
