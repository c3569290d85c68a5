package habemus.lab.mutation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSource;
import habemus.catalogue.Catalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * An algorithm with one changed line, and the property that this change violates. Mutants are listed in text files:
 *
 * <pre>
 * name-of-the-mutant
 *     Why a programmer might write it that way.
 *   - the original line
 *   + the changed line
 *     breaks name-of-the-property
 * </pre>
 *
 * @param rationale why the change looks plausible, one or two sentences
 * @param breaks the property that the checker must find violated, or {@code protocol-bug}
 */
public record Mutant(
        String algorithm, String name, String rationale, String originalLine, String mutatedLine, String breaks) {

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

    /** A line {@code breaks …} ends a block; lines that start with # are comments. */
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
            throw new IllegalArgumentException(algorithm + "/" + block.getFirst() + " has no line 'breaks PROPERTY'");
        }
        return List.copyOf(mutants);
    }

    private static Mutant parseBlock(String algorithm, List<String> lines) {
        int size = lines.size();
        if (size < 5
                || !lines.get(size - 3).startsWith("- ")
                || !lines.get(size - 2).startsWith("+ ")) {
            throw new IllegalArgumentException(algorithm + "/" + lines.getFirst()
                    + " must have a sentence, the original line (- …), the changed line (+ …) and 'breaks PROPERTY'");
        }
        var rationale = new StringJoiner(" ");
        lines.subList(1, size - 3).forEach(rationale::add);
        return new Mutant(
                algorithm,
                lines.getFirst(),
                rationale.toString(),
                lines.get(size - 3).substring(2).strip(),
                lines.get(size - 2).substring(2).strip(),
                lines.get(size - 1).substring("breaks ".length()).strip());
    }

    /** The class of the original algorithm. */
    Class<?> originalClass() {
        return Catalogue.find(algorithm)
                .orElseThrow()
                .create(AlgorithmParameters.defaults())
                .getClass();
    }

    /** The path of the algorithm's source file in the repository. */
    public String sourceFile() {
        return "core/src/main/java/" + originalClass().getName().replace('.', '/') + ".java";
    }

    /** The number of the first line that changes, from 1. */
    public int lineNumber() {
        var source = AlgorithmSource.of(originalClass());
        return (int) source.substring(0, find(source).start())
                        .chars()
                        .filter(each -> each == '\n')
                        .count()
                + 1;
    }

    /** Returns the source with the original line replaced. The line must occur exactly once. */
    String applyTo(String source) {
        var found = find(source);
        return source.substring(0, found.start()) + mutatedLine + source.substring(found.end());
    }

    /** Finds whole lines that hold the original code, wherever the formatter broke them. */
    private MatchResult find(String source) {
        var tokens =
                Pattern.compile("\\w+|\\S").matcher(originalLine).results().map(token -> Pattern.quote(token.group()));
        var found = Pattern.compile("(?m)(?<=^ {0,40})" + tokens.collect(joining("\\s*")) + "$")
                .matcher(source)
                .results()
                .toList();
        if (found.size() != 1) {
            throw new InvalidMutantException(
                    this + ": original line must occur once, was found " + found.size() + " times: " + originalLine);
        }
        return found.getFirst();
    }

    @Override
    public String toString() {
        return algorithm + "/" + name;
    }
}
