package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.catalogue.SourceText;
import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Scope;
import habemus.small.SmallWorlds;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Tells whether a cell has to be worked out anew: a hash of everything that decides what comes out of it. That is the
 * text of the algorithm and of whatever it uses, of its entry in the catalogue, of the checker; and the cell's worlds.
 */
final class Fingerprint {

    /** To be changed if the same text comes to mean something else. */
    private static final String EDITION = "1";

    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*\\b");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(habemus(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*)");

    private final Map<String, String> checker = closure(Checker.class.getName(), name -> true);
    private final Map<String, String> catalogue =
            closure(Catalogue.class.getName(), name -> name.startsWith(Catalogue.class.getPackageName() + "."));
    private final Map<String, Map<String, String>> algorithms = new ConcurrentHashMap<>();

    String of(Cell cell) {
        var digest = sha256();
        add(digest, EDITION);
        add(digest, cell.toString());
        for (var size : SmallWorlds.sizes(cell.algorithm())) {
            add(digest, describe(cell.scope(size, Effort.ample())));
        }
        cell.algorithm().options().forEach(option -> add(digest, option.name() + "=" + option.standard()));
        algorithms
                .computeIfAbsent(cell.algorithm().name(), name -> sources(cell))
                .forEach((name, text) -> add(digest, name + "\n" + text));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Everything but the effort, of which only the number of states matters. */
    private static String describe(Scope scope) {
        return String.join(
                " ",
                scope.topology().shape() + " " + scope.topology().nodes(),
                scope.inOrder() + " " + scope.callers() + " " + scope.calls(),
                scope.hazards() + " " + scope.crashes() + " " + scope.alarms() + " " + scope.timing() + " "
                        + scope.tick(),
                scope.bypass() + " " + Look.STATES);
    }

    private Map<String, String> sources(Cell cell) {
        var type = cell.algorithm().make(Setting.standard()).getClass();
        var sources = closure(type.getName(), name -> true);
        sources.putAll(checker);
        var made = Pattern.compile("\\b" + type.getSimpleName() + "\\b");
        catalogue.forEach((name, text) -> {
            if (made.matcher(text).find()) {
                sources.put(name, text);
            }
        });
        return sources;
    }

    /** The text of a class and of all those that it names, by their names. */
    private static Map<String, String> closure(String first, Predicate<String> wanted) {
        var texts = new TreeMap<String, String>();
        var todo = new ArrayDeque<String>();
        todo.add(first);
        while (!todo.isEmpty()) {
            var type = todo.remove();
            var text = texts.containsKey(type) || !wanted.test(type)
                    ? ""
                    : SourceText.find(type).orElse("");
            if (!text.isEmpty()) {
                texts.put(type, text);
                var home = type.substring(0, type.lastIndexOf('.') + 1);
                NAME.matcher(text)
                        .results()
                        .map(name -> home + name.group())
                        .distinct()
                        .forEach(todo::add);
                IMPORT.matcher(text).results().map(name -> name.group(1)).forEach(todo::add);
            }
        }
        return texts;
    }

    private static void add(MessageDigest digest, String text) {
        digest.update(text.getBytes(UTF_8));
        digest.update((byte) 0);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JVM has SHA-256", missing);
        }
    }
}
