package habemus.web.data;

import habemus.catalogue.AlgorithmSource;
import habemus.protocol.Envelope;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds where the source text of an algorithm handles an event.
 *
 * <p>A key is the simple name of the event: {@code Acquire}. For a received message, a timer and a call of a log, the
 * name of the message, timer or call follows: {@code Received Request}, {@code Timeout RETRY}. A node that starts has
 * the key {@code Started} and how it starts. The position is that of the case of the switch, or of the method if it has
 * no such case. Of several cases with guards it is the first.
 */
final class HandlerIndex {

    private static final Map<String, String> METHOD_BY_EVENT = Map.ofEntries(
            Map.entry("Acquire", "acquire"),
            Map.entry("Release", "release"),
            Map.entry("Campaign", "campaign"),
            Map.entry("Received", "receive"),
            Map.entry("Timeout", "timeout"),
            Map.entry("Drawn", "drawn"),
            Map.entry("Suspect", "suspect"),
            Map.entry("Restore", "restore"),
            Map.entry("Call", "call"),
            Map.entry("Synced", "synced"),
            Map.entry("Joined", "joined"),
            Map.entry("Left", "left"),
            Map.entry("Leave", "leave"),
            Map.entry("Forward", "forward"),
            Map.entry("Started FIRST", "start"),
            Map.entry("Started WITH_AMNESIA", "start"),
            Map.entry("Started WITH_MEMORY", "restart"),
            Map.entry("Started AS_NEW_MEMBER", "join"));

    private static final Set<String> EVENTS_WITH_CONTENT = Set.of("Received", "Timeout", "Call");

    /** @param line counted from 1 */
    record Position(String file, int line) {}

    private final Class<?> type;
    private final List<String> files;
    private final Map<String, Position> positions = new LinkedHashMap<>();

    private HandlerIndex(Class<?> type, List<String> files) {
        this.type = type;
        this.files = files;
    }

    /** @param files the source files in which a case may be */
    static Map<String, Position> of(Protocol<?, ?> protocol, List<String> files) {
        var index = new HandlerIndex(protocol.getClass(), files);
        METHOD_BY_EVENT.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> index.add(entry.getKey(), entry.getValue()));
        return index.positions;
    }

    private void add(String event, String name) {
        var handler = findMethod(name);
        if (handler.isEmpty()) {
            return;
        }
        var file = SourceIndex.file(handler.get().getDeclaringClass());
        var lines = lines(file);
        int start = methodLine(lines, name);
        if (start < 0) {
            return;
        }
        var method = new Position(file, start + 1);
        positions.put(event, method);
        if (EVENTS_WITH_CONTENT.contains(event)) {
            var parameters = handler.get().getParameterTypes();
            contentNames(parameters[parameters.length - 1])
                    .forEach((content, types) -> positions.put(
                            event + " " + content, findCase(file, start, types).orElse(method)));
        }
    }

    /** The method that is executed, not a bridge to it. */
    private Optional<Method> findMethod(String name) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name) && isHandler(method))
                .filter(method -> AlgorithmSource.find(
                                method.getDeclaringClass().getNestHost().getName())
                        .isPresent())
                .findFirst();
    }

    private static boolean isHandler(Method method) {
        return method.getReturnType() == Step.class
                && !method.isBridge()
                && !Modifier.isAbstract(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers());
    }

    /** The names of all messages, timers or calls of a type, each with the names of the types that include it. */
    private static Map<String, Set<String>> contentNames(Class<?> content) {
        var names = new LinkedHashMap<String, Set<String>>();
        addContentNames(content, Set.of(), names);
        return names;
    }

    private static void addContentNames(Class<?> content, Set<String> parents, Map<String, Set<String>> names) {
        if (content.isEnum()) {
            Arrays.stream(content.getEnumConstants())
                    .forEach(constant -> add(((Enum<?>) constant).name(), parents, names));
        } else if (content.isRecord() && Envelope.class.isAssignableFrom(content)) {
            Arrays.stream(content.getRecordComponents())
                    .map(RecordComponent::getType)
                    .forEach(component -> addContentNames(component, Set.of(), names));
        } else if (content.isRecord()) {
            add(content.getSimpleName(), parents, names);
        } else if (content.isSealed()) {
            for (Class<?> permitted : content.getPermittedSubclasses()) {
                var including = new LinkedHashSet<>(parents);
                if (permitted.isSealed()) {
                    including.add(permitted.getSimpleName());
                }
                addContentNames(permitted, including, names);
            }
        }
    }

    private static void add(String name, Set<String> parents, Map<String, Set<String>> names) {
        names.computeIfAbsent(name, key -> new LinkedHashSet<>(Set.of(name))).addAll(parents);
    }

    /** In the method, else in its file, else in another file. In each the outermost, and of these the first. */
    private Optional<Position> findCase(String file, int methodStart, Set<String> types) {
        var lines = lines(file);
        var pattern = Pattern.compile("\\s+case (?:[^>]*\\W)?(?:" + String.join("|", types) + ")\\W.*");
        int end = methodEnd(lines, methodStart);
        var found = findCase(lines, methodStart, end, pattern).map(line -> new Position(file, line + 1));
        if (found.isEmpty()) {
            found = findCase(lines, 0, lines.size(), pattern).map(line -> new Position(file, line + 1));
        }
        return found.or(() -> files.stream()
                .filter(other -> !other.equals(file))
                .flatMap(
                        other -> findCase(lines(other), 0, lines(other).size(), pattern)
                                .map(line -> new Position(other, line + 1))
                                .stream())
                .findFirst());
    }

    private static Optional<Integer> findCase(List<String> lines, int from, int to, Pattern pattern) {
        return IntStream.range(from, to)
                .filter(line -> pattern.matcher(lines.get(line)).matches()
                        && !lines.get(line).contains("throw new ProtocolBug"))
                .boxed()
                .min(Comparator.comparingInt(line -> indentation(lines.get(line))));
    }

    private static int methodLine(List<String> lines, String name) {
        var declaration = Pattern.compile(".*\\bStep<.*> " + name + "\\(.*\\{");
        return IntStream.range(0, lines.size())
                .filter(line -> declaration.matcher(lines.get(line)).matches())
                .findFirst()
                .orElse(-1);
    }

    private static int methodEnd(List<String> lines, int start) {
        var end = " ".repeat(indentation(lines.get(start))) + "}";
        return IntStream.range(start, lines.size())
                .filter(line -> lines.get(line).equals(end))
                .findFirst()
                .orElse(lines.size());
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    private static List<String> lines(String file) {
        return SourceIndex.text(file).lines().toList();
    }
}
