package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.Catalogue;
import habemus.smallscope.CommandLineScope;
import habemus.smallscope.GuaranteeScope;
import habemus.smallscope.SmallScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An algorithm with a few changed lines, and the property that this change violates. Mutants are listed in text files:
 *
 * <pre>
 * ## Section
 *
 * name-of-the-mutant
 *     Why a programmer might write it that way.
 *     in ClassOfTheFile
 *   - the original line
 *   + the changed line
 *     world raft -n 3 --proposals 1 --timeouts 1
 *     breaks name-of-the-property
 * </pre>
 *
 * <p>Section, class and world are optional. Without a class, the change is in the class of the algorithm. Without a
 * world, all scopes of the algorithm's guarantees are searched. A mutant may have several changes of several lines
 * each. A world may be continued on further lines.
 *
 * @param section the heading above the mutant; empty if there is none
 * @param rationale why the change looks plausible, or the rule that it breaks
 * @param world the scope that kills the mutant, as options of {@code habemus check}; empty to search all scopes
 * @param breaks the property that the checker must find violated, or {@code protocol-bug}
 */
public record Mutant(
        String algorithm,
        String section,
        String name,
        String rationale,
        List<SourceChange> changes,
        String world,
        String breaks) {

    private static final Pattern FILE = Pattern.compile("in ([A-Z]\\w*)");

    public Mutant {
        changes = List.copyOf(changes);
    }

    /** The mutant does not fit the source of its algorithm. */
    public static final class InvalidMutantException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        InvalidMutantException(String message) {
            super(message);
        }
    }

    /** The mutants of all algorithms. */
    public static List<Mutant> all() {
        return Catalogue.ALL.stream()
                .flatMap(algorithm -> of(algorithm.name()).stream())
                .toList();
    }

    public static List<Mutant> of(String algorithm) {
        try (var file = Mutant.class.getResourceAsStream("/mutants/" + algorithm + ".mutants")) {
            return file == null ? List.of() : parse(algorithm, new String(file.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A line {@code breaks …} ends a block; lines that start with # are comments, with ## headings. */
    static List<Mutant> parse(String algorithm, String text) {
        var mutants = new ArrayList<Mutant>();
        var block = new ArrayList<String>();
        var section = "";
        for (String line : text.lines().map(String::strip).toList()) {
            section = line.startsWith("## ") ? line.substring(3).strip() : section;
            if (!line.isEmpty() && !line.startsWith("#")) {
                block.add(line);
            }
            if (line.startsWith("breaks ")) {
                mutants.add(parseBlock(algorithm, section, block));
                block.clear();
            }
        }
        if (!block.isEmpty()) {
            throw new IllegalArgumentException(algorithm + "/" + block.getFirst() + " has no line 'breaks PROPERTY'");
        }
        return List.copyOf(mutants);
    }

    private static Mutant parseBlock(String algorithm, String section, List<String> lines) {
        var rationale = new StringJoiner(" ");
        var changes = new ArrayList<SourceChange>();
        var world = "";
        var file = "";
        for (String line : lines.subList(1, lines.size() - 1)) {
            var fileLine = FILE.matcher(line);
            if (fileLine.matches()) {
                file = fileLine.group(1);
            } else if (line.startsWith("world ")) {
                world += (world.isEmpty() ? "" : " ")
                        + line.substring("world ".length()).strip();
            } else if (line.startsWith("- ") || line.startsWith("+ ")) {
                addCode(changes, file, line);
            } else {
                rationale.add(line);
            }
        }
        if (rationale.length() == 0 || changes.isEmpty()) {
            throw new IllegalArgumentException(algorithm + "/" + lines.getFirst()
                    + " must have a sentence, the original line (- …), the changed line (+ …) and 'breaks PROPERTY'");
        }
        var breaks = lines.getLast().substring("breaks ".length()).strip();
        return new Mutant(algorithm, section, lines.getFirst(), rationale.toString(), changes, world, breaks);
    }

    /** An original line after a changed one begins another change. */
    private static void addCode(List<SourceChange> changes, String file, String line) {
        var code = line.substring(2).strip();
        boolean isOriginal = line.startsWith("- ");
        var last = changes.isEmpty() ? null : changes.getLast();
        if (isOriginal
                && (last == null
                        || !last.mutatedCode().isEmpty()
                        || !last.file().equals(file))) {
            changes.add(new SourceChange(file, code, ""));
        } else if (last != null) {
            changes.set(
                    changes.size() - 1,
                    isOriginal
                            ? new SourceChange(file, last.originalCode() + "\n" + code, "")
                            : new SourceChange(
                                    file,
                                    last.originalCode(),
                                    last.mutatedCode().isEmpty() ? code : last.mutatedCode() + "\n" + code));
        }
    }

    /** The small worlds in which the mutant is searched, smallest first. */
    List<SmallScope> scopes() {
        return world.isEmpty()
                ? List.copyOf(GuaranteeScope.all(Catalogue.find(algorithm).orElseThrow()))
                : List.of(CommandLineScope.parse(world));
    }

    /** The class of the original algorithm. */
    Class<?> originalClass() {
        return Catalogue.find(algorithm)
                .orElseThrow()
                .create(AlgorithmParameters.defaults())
                .getClass();
    }

    /** Whether the algorithm consists of all files of its package. */
    boolean hasSeveralFiles() {
        return changes.stream().anyMatch(change -> !change.file().isEmpty());
    }

    private String className(SourceChange change) {
        return change.file().isEmpty()
                ? originalClass().getName()
                : originalClass().getPackageName() + "." + change.file();
    }

    /** The path of the changed source file in the repository. */
    public String sourceFile(SourceChange change) {
        return "algorithms/src/main/java/" + className(change).replace('.', '/') + ".java";
    }

    /** The number of the first line that changes, from 1. */
    public int lineNumber(SourceChange change) {
        return change.lineNumber(source(className(change))).orElseThrow(() -> noSuchLine(change));
    }

    private String source(String className) {
        return AlgorithmSource.find(className)
                .orElseThrow(() -> new InvalidMutantException(this + ": no source file of class " + className));
    }

    /** The changed sources by class name. */
    Map<String, String> mutatedSources() {
        var sources = new TreeMap<String, String>();
        for (SourceChange change : changes) {
            sources.put(className(change), apply(change, sources.computeIfAbsent(className(change), this::source)));
        }
        return sources;
    }

    /** Returns the source with the original code of a change replaced. It must occur exactly once. */
    String apply(SourceChange change, String source) {
        return change.applyTo(source).orElseThrow(() -> noSuchLine(change));
    }

    private InvalidMutantException noSuchLine(SourceChange change) {
        return new InvalidMutantException(this + ": original line must occur once: " + change.originalCode());
    }

    @Override
    public String toString() {
        return algorithm + "/" + name;
    }
}
