package habemus.lab.source;

import static java.util.stream.Collectors.joining;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.UserEntry;
import habemus.protocol.Consensus;
import habemus.protocol.Election;
import habemus.protocol.FailureDetector;
import habemus.protocol.Mutex;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.protocol.ThreadProgram;
import habemus.protocol.ValueTypeCheck;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** An algorithm in a single Java file outside the source tree, as an entry like those of the catalogue. */
public final class AlgorithmFile {

    private static final Set<Class<?>> PARAMETERS = Set.of(Ranking.class, int.class);
    private static final String CONSTRUCTOR_HINT =
            "declare a record without components, or with a Ranking, an int (the number of nodes), or both";
    private static final List<String> PROBLEMS = List.of(
            "  Mutex<State, Message>            acquire, release → grant",
            "  Election<State, Message>         campaign → elected",
            "  FailureDetector<State, Message>  → suspect, restore",
            "  ThreadMachine                    a program whose threads share memory");
    private static final int SAMPLE_NODES = 3;

    private AlgorithmFile() {}

    /**
     * Compiles a file and makes an entry of its algorithm. The algorithm runs on a ring if it asks for the next or the
     * previous node. It elects by rank if its constructor takes a {@link Ranking}.
     *
     * @param name the file as the user wrote it: it is the name of the entry, so that replay commands work
     * @throws InvalidSourceException if the file does not compile, holds no algorithm, or breaks the contract
     */
    public static Algorithm load(String name) {
        return load(SourceFile.read(name));
    }

    public static Algorithm load(SourceFile file) {
        var inspection = new PurityInspection(file);
        var constructor = constructor(file, algorithmClass(file.compile(inspection::inspect)));
        var sample = create(file, constructor, AlgorithmParameters.defaults().withNodeCount(SAMPLE_NODES));
        try {
            ValueTypeCheck.check(sample);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidSourceException(
                    file.name() + ": " + invalid.getMessage(),
                    List.of(),
                    "states and messages are records of numbers, text, enums, NodeId, NodeSet, List and other records");
        }
        boolean ranked = Arrays.asList(constructor.getParameterTypes()).contains(Ranking.class);
        return new UserEntry(file.name(), inspection.usesRing(), ranked)
                .of(sample, parameters -> create(file, constructor, parameters));
    }

    private static Class<?> algorithmClass(SourceFile.Compiled compiled) {
        var found = compiled.types().stream()
                .filter(Protocol.class::isAssignableFrom)
                .filter(type -> !type.isInterface() && !Modifier.isAbstract(type.getModifiers()))
                .toList();
        var file = compiled.source().name();
        if (found.isEmpty()) {
            throw new InvalidSourceException(
                    file + " holds no algorithm (none of " + compiled.typeNames() + " implements one of these):",
                    PROBLEMS,
                    "habemus exercise show two-lists --write TwoLists.java writes a file to start from");
        }
        if (found.size() > 1) {
            throw new InvalidSourceException(
                    file + " holds several algorithms: "
                            + found.stream().map(Class::getName).collect(joining(", ")),
                    List.of(),
                    "leave one of them in the file");
        }
        var type = found.getFirst();
        if (Consensus.class.isAssignableFrom(type) || !solvesProblem(type)) {
            throw new InvalidSourceException(
                    file + ": " + type.getName() + " must implement one of these:",
                    PROBLEMS,
                    "add the interface, and the methods that the compiler then asks for");
        }
        return type;
    }

    private static boolean solvesProblem(Class<?> type) {
        return Mutex.class.isAssignableFrom(type)
                || Election.class.isAssignableFrom(type)
                || FailureDetector.class.isAssignableFrom(type)
                || ThreadProgram.class.isAssignableFrom(type);
    }

    private static Constructor<?> constructor(SourceFile file, Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors())
                .filter(each -> PARAMETERS.containsAll(Arrays.asList(each.getParameterTypes())))
                .filter(each ->
                        Arrays.stream(each.getParameterTypes()).distinct().count() == each.getParameterCount())
                .findFirst()
                .orElseThrow(() -> new InvalidSourceException(
                        file.name() + ": " + type.getName() + " has no usable constructor: "
                                + Arrays.stream(type.getDeclaredConstructors())
                                        .map(AlgorithmFile::describe)
                                        .collect(joining(", ")),
                        List.of(),
                        CONSTRUCTOR_HINT));
    }

    private static String describe(Constructor<?> constructor) {
        return Arrays.stream(constructor.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(joining(", ", constructor.getDeclaringClass().getSimpleName() + "(", ")"));
    }

    private static Protocol<?, ?> create(SourceFile file, Constructor<?> constructor, AlgorithmParameters parameters) {
        var arguments = Arrays.stream(constructor.getParameterTypes())
                .map(type -> type == int.class ? (Object) parameters.nodeCount() : parameters.ranking())
                .toArray();
        try {
            constructor.setAccessible(true);
            return (Protocol<?, ?>) constructor.newInstance(arguments);
        } catch (InvocationTargetException thrown) {
            throw new InvalidSourceException(
                    file.name() + ": the constructor " + describe(constructor) + " threw " + thrown.getCause(),
                    List.of(),
                    "an int parameter is the number of nodes; it is 0 if that is not known yet");
        } catch (ReflectiveOperationException inaccessible) {
            throw new InvalidSourceException(
                    file.name() + ": " + describe(constructor) + " cannot be called: " + inaccessible,
                    List.of(),
                    CONSTRUCTOR_HINT);
        }
    }
}
