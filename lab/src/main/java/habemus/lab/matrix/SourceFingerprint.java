package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.smallscope.SmallScopes;
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
final class SourceFingerprint {

    /** To be changed if the same text comes to mean something else. */
    private static final String FORMAT_VERSION = "1";

    private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*\\b");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(habemus(?:\\.[a-z]\\w*)+\\.[A-Z]\\w*)");

    private final Map<String, String> checker = closure(ModelChecker.class.getName(), name -> true);
    private final Map<String, String> catalogue =
            closure(Catalogue.class.getName(), name -> name.startsWith(Catalogue.class.getPackageName() + "."));
    private final Map<String, Map<String, String>> algorithms = new ConcurrentHashMap<>();

    String of(MatrixCell matrixCell) {
        var digest = sha256();
        add(digest, FORMAT_VERSION);
        add(digest, matrixCell.toString());
        for (var size : SmallScopes.sizes(matrixCell.algorithm())) {
            add(digest, describe(matrixCell.scope(size, CheckOptions.defaults())));
        }
        matrixCell
                .algorithm()
                .algorithmOptions()
                .forEach(algorithmOption -> add(digest, algorithmOption.name() + "=" + algorithmOption.defaultValue()));
        algorithms
                .computeIfAbsent(matrixCell.algorithm().name(), name -> sources(matrixCell))
                .forEach((name, text) -> add(digest, name + "\n" + text));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Everything but the effort, of which only the number of states matters. */
    private static String describe(Scope scope) {
        return String.join(
                " ",
                scope.topology().shape() + " " + scope.topology().nodes(),
                scope.inOrder() + " " + scope.requesters() + " " + scope.requestsPerNode(),
                scope.faultLimits() + " " + scope.crashModel() + " " + scope.maxTimeouts() + " " + scope.timing() + " "
                        + scope.tick(),
                scope.bypassBound() + " " + CellChecker.MAX_STATES);
    }

    private Map<String, String> sources(MatrixCell matrixCell) {
        var type = matrixCell.algorithm().create(AlgorithmParameters.defaults()).getClass();
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
                    : AlgorithmSource.find(type).orElse("");
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
