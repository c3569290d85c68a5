package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.Catalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * An algorithm with one line of it changed, and what must come of it. They are written down in plain text, a block
 * each:
 *
 * <pre>
 * name-of-the-mutant
 *     Why somebody might write it that way.
 *   - the line as it stands
 *   + the line instead
 *     breaks name-of-the-property
 * </pre>
 *
 * @param rationale one or two sentences
 * @param breaks the property that must be found violated, or {@code protocol-bug}
 */
public record Mutant(
        String algorithm, String name, String rationale, String originalLine, String mutatedLine, String breaks) {

    /** It cannot be made of the algorithm. */
    public static final class InvalidMutantException extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        InvalidMutantException(String why) {
            super(why);
        }
    }

    /** Those of every algorithm that has some. */
    public static List<Mutant> all() {
        return Catalogue.ALL.stream().flatMap(one -> of(one.name()).stream()).toList();
    }

    public static List<Mutant> of(String algorithm) {
        try (var file = Mutant.class.getResourceAsStream("/mutants/" + algorithm + ".mutants")) {
            return file == null ? List.of() : parse(algorithm, new String(file.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Blocks end with what they break; lines that start with # are for people only. */
    static List<Mutant> parse(String algorithm, String text) {
        var mutants = new ArrayList<Mutant>();
        var block = new ArrayList<String>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                block.add(line);
            }
            if (line.startsWith("breaks ")) {
                mutants.add(parseBlock(algorithm, block));
                block.clear();
            }
        }
        if (!block.isEmpty()) {
            throw new IllegalArgumentException(algorithm + "/" + block.getFirst() + " does not say what it breaks");
        }
        return List.copyOf(mutants);
    }

    private static Mutant parseBlock(String algorithm, List<String> lines) {
        int size = lines.size();
        if (size < 5
                || !lines.get(size - 3).startsWith("- ")
                || !lines.get(size - 2).startsWith("+ ")) {
            throw new IllegalArgumentException(algorithm + "/" + lines.getFirst()
                    + " needs a sentence, the line as it stands (- …), the line instead (+ …) and what it breaks");
        }
        var temptation = new StringJoiner(" ");
        lines.subList(1, size - 3).forEach(temptation::add);
        return new Mutant(
                algorithm,
                lines.getFirst(),
                temptation.toString(),
                lines.get(size - 3).substring(2).strip(),
                lines.get(size - 2).substring(2).strip(),
                lines.get(size - 1).substring("breaks ".length()).strip());
    }

    /** The algorithm as it stands. */
    Class<?> originalClass() {
        return Catalogue.find(algorithm)
                .orElseThrow()
                .create(AlgorithmParameters.defaults())
                .getClass();
    }

    /** Where the source of the algorithm stands. */
    public String sourceFile() {
        return "core/src/main/java/" + originalClass().getName().replace('.', '/') + ".java";
    }

    /** The number of the line in the file, from 1 on. */
    public int lineNumber() {
        return lineIndex(AlgorithmSource.of(originalClass()).lines().toList()) + 1;
    }

    /** The source with the line changed, which must be there exactly once. */
    String applyTo(String source) {
        var lines = new ArrayList<>(source.lines().toList());
        int at = lineIndex(lines);
        lines.set(at, lines.get(at).replace(originalLine, mutatedLine));
        return String.join("\n", lines) + "\n";
    }

    private int lineIndex(List<String> lines) {
        var found = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).strip().equals(originalLine))
                .toArray();
        if (found.length != 1) {
            throw new InvalidMutantException(
                    this + " changes a line that is there " + found.length + " times, not once: " + originalLine);
        }
        return found[0];
    }

    @Override
    public String toString() {
        return algorithm + "/" + name;
    }
}
