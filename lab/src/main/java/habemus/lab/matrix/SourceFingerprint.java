package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hashes everything that determines the result of a cell. It covers its scopes, and the sources of the algorithm, its
 * catalogue entry and the model checker, with the classes they use. If the hash changes, the cell must be checked
 * again. Comments do not count.
 */
final class SourceFingerprint {

    /** Must change if equal sources lead to different results. */
    private static final String FORMAT_VERSION = "1";

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*\\b");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(habemus(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*)");

    private final Map<String, String> checker = closure(ModelChecker.class.getName(), name -> true);
    private final Map<String, String> catalogue =
            closure(Catalogue.class.getName(), name -> name.startsWith(Catalogue.class.getPackageName() + "."));
    private final Map<String, Map<String, String>> algorithms = new ConcurrentHashMap<>();

    String of(MatrixCell cell) {
        var digest = sha256();
        add(digest, FORMAT_VERSION);
        add(digest, cell.toString());
        Stream.concat(cell.sizes().stream(), cell.sizesWithoutTimeouts().stream())
                .forEach(size -> add(digest, describe(cell.scope(size, CheckOptions.defaults()))));
        cell.algorithm().options().forEach(option -> add(digest, option.name() + "=" + option.defaultValue()));
        algorithms
                .computeIfAbsent(cell.algorithm().name(), name -> sources(cell))
                .forEach((name, text) -> add(digest, name + "\n" + text));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** All of the scope except the check options, of which only the state limit matters. */
    private static String describe(Scope scope) {
        return String.join(
                " ",
                scope.topology().shape() + " " + scope.topology().nodes(),
                scope.inOrder() + " " + scope.requests().nodes() + " "
                        + scope.requests().perNode(),
                scope.faults().limits() + " " + scope.faults().crashes() + " "
                        + scope.timers().maxTimeouts() + " " + scope.timers().timing() + " "
                        + scope.timers().tick(),
                scope.bypassBound() + " " + CellChecker.MAX_STATES);
    }

    private Map<String, String> sources(MatrixCell cell) {
        var type = cell.algorithm().create(AlgorithmParameters.defaults()).getClass();
        var sources = closure(type.getName(), name -> true);
        sources.putAll(checker);
        var usage = Pattern.compile("\\b" + type.getSimpleName() + "\\b");
        catalogue.forEach((name, text) -> {
            if (usage.matcher(text).find()) {
                sources.put(name, text);
            }
        });
        return sources;
    }

    /** The sources of a class and of all classes that it names, by class name. */
    private static Map<String, String> closure(String root, Predicate<String> include) {
        var texts = new TreeMap<String, String>();
        var todo = new ArrayDeque<String>();
        todo.add(root);
        while (!todo.isEmpty()) {
            var type = todo.remove();
            var text = texts.containsKey(type) || !include.test(type)
                    ? ""
                    : AlgorithmSource.find(type)
                            .map(source -> COMMENT.matcher(source).replaceAll(""))
                            .orElse("");
            if (!text.isEmpty()) {
                texts.put(type, text);
                var packagePrefix = type.substring(0, type.lastIndexOf('.') + 1);
                NAME.matcher(text)
                        .results()
                        .map(name -> packagePrefix + name.group())
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
            throw new IllegalStateException("SHA-256 is missing in this Java runtime", missing);
        }
    }
}
