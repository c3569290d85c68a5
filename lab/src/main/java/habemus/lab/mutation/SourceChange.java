package habemus.lab.mutation;

import static java.util.stream.Collectors.joining;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A change of some consecutive lines in one source file of an algorithm.
 *
 * @param file the simple name of the class; empty for the class of the algorithm itself
 * @param originalCode whole lines of the source, wherever the formatter breaks them
 * @param mutatedCode the lines in their place; empty if they are removed
 */
public record SourceChange(String file, String originalCode, String mutatedCode) {

    /** Returns the source with the original code replaced; empty unless it occurs exactly once. */
    public Optional<String> applyTo(String source) {
        return find(source)
                .map(found -> source.substring(0, found.start()) + mutatedCode + source.substring(found.end()));
    }

    /** The number of the first line that changes, from 1; empty unless the original code occurs exactly once. */
    Optional<Integer> lineNumber(String source) {
        return find(source)
                .map(found -> (int) source.substring(0, found.start())
                                .chars()
                                .filter(each -> each == '\n')
                                .count()
                        + 1);
    }

    private Optional<MatchResult> find(String source) {
        var tokens =
                Pattern.compile("\\w+|\\S").matcher(originalCode).results().map(token -> Pattern.quote(token.group()));
        var found = Pattern.compile("(?m)(?<=^ {0,40})" + tokens.collect(joining("\\s*")) + "$")
                .matcher(source)
                .results()
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }
}
