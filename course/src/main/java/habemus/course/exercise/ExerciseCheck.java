package habemus.course.exercise;

import habemus.lab.source.SourceFile;
import java.util.List;

/** The check of an exercise: compiles the student's file, and tries it in worlds that the text does not show. */
@FunctionalInterface
interface ExerciseCheck {

    /**
     * @param laboratory where real threads run
     * @throws habemus.lab.source.InvalidSourceException if the file cannot be used
     */
    List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory);
}
