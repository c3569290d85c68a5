package habemus.web.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.protocol.Protocol;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The source texts of the algorithms, and which line handles which event.
 *
 * <pre>
 * {"files": {"habemus/mutex/Central.java": text},
 *  "algorithms": {"central": {"files": [path], "cases": {"Received Request": [index into files, line]}}}}
 * </pre>
 *
 * @see HandlerIndex
 */
final class SourceIndex {

    private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w+\\b");

    /** Enough for every algorithm. */
    private static final int NODES = 3;

    private SourceIndex() {}

    static JsonObject of(List<Algorithm> algorithms) {
        var used = new TreeSet<String>();
        var index = new JsonObject();
        for (Algorithm algorithm : algorithms) {
            var protocol = algorithm.create(AlgorithmParameters.defaults().withNodeCount(NODES));
            var cases = HandlerIndex.of(protocol, files(protocol));
            var files = new LinkedHashSet<>(files(protocol));
            cases.values().forEach(position -> files.add(position.file()));
            used.addAll(files);
            index.add(algorithm.name(), json(List.copyOf(files), cases));
        }
        var texts = new JsonObject();
        used.forEach(file -> texts.addProperty(file, text(file)));
        var json = new JsonObject();
        json.add("files", texts);
        json.add("algorithms", index);
        return json;
    }

    private static JsonObject json(List<String> files, Map<String, HandlerIndex.Position> positions) {
        var paths = new JsonArray();
        files.forEach(paths::add);
        var cases = new JsonObject();
        positions.forEach((key, position) -> {
            var pair = new JsonArray();
            pair.add(files.indexOf(position.file()));
            pair.add(position.line());
            cases.add(key, pair);
        });
        var json = new JsonObject();
        json.add("files", paths);
        json.add("cases", cases);
        return json;
    }

    /** The file of the algorithm, those of its superclasses, and those of the same package that they name. */
    static List<String> files(Protocol<?, ?> protocol) {
        var files = new LinkedHashSet<String>();
        var open = new ArrayDeque<String>();
        for (Class<?> type = protocol.getClass(); type != Object.class; type = type.getSuperclass()) {
            open.add(type.getNestHost().getName());
        }
        while (!open.isEmpty()) {
            var name = open.remove();
            var text = AlgorithmSource.find(name);
            if (text.isPresent() && files.add(path(name))) {
                var prefix = name.substring(0, name.lastIndexOf('.') + 1);
                TYPE_NAME
                        .matcher(code(text.get()))
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .forEach(type -> open.add(prefix + type));
            }
        }
        return List.copyOf(files);
    }

    /** Without comments. */
    private static String code(String text) {
        return text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//.*", "");
    }

    static String file(Class<?> type) {
        return path(type.getNestHost().getName());
    }

    static String text(String file) {
        var type = file.substring(0, file.length() - ".java".length()).replace('/', '.');
        return AlgorithmSource.find(type).orElseThrow(() -> new IllegalArgumentException("no source text: " + file));
    }

    private static String path(String type) {
        return type.replace('.', '/') + ".java";
    }
}
