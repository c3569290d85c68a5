package habemus.course.exercise;

import habemus.lab.language.Language;
import java.util.List;

/** The mark of a file, from 0 to 10, with a result for every criterion. */
public record ExerciseMark(Exercise exercise, List<CriterionResult> results) {

    public static final int BEST = 10;

    public ExerciseMark {
        results = List.copyOf(results);
    }

    public int points() {
        return results.stream().mapToInt(this::points).sum();
    }

    /** The points that a criterion earns; a part of them only if the criterion has parts. */
    public int points(CriterionResult result) {
        return (int) (exercise.criterion(result.criterion(), Language.ENGLISH).points() * result.earned() + 1e-9);
    }

    public boolean isFull() {
        return points() == BEST;
    }
}
