package habemus.course.exercise;

import habemus.lab.trace.Recording;
import java.util.List;
import java.util.Optional;

/**
 * How a file does by one criterion.
 *
 * @param earned the share of the points that it earns, from 0 to 1
 * @param reason what was tried, and what went wrong if something did
 * @param interleaving the failing interleaving as lines of text; empty if there is none or there is a run
 * @param run the failing run of a distributed algorithm
 * @param replay the command that shows the failing run again; empty if there is none
 */
public record CriterionResult(
        String criterion,
        double earned,
        String reason,
        List<String> interleaving,
        Optional<Recording> run,
        String replay) {

    public CriterionResult {
        interleaving = List.copyOf(interleaving);
    }

    static CriterionResult passed(String criterion, String reason) {
        return new CriterionResult(criterion, 1, reason, List.of(), Optional.empty(), "");
    }

    static CriterionResult failed(String criterion, String reason) {
        return new CriterionResult(criterion, 0, reason, List.of(), Optional.empty(), "");
    }

    static CriterionResult failed(String criterion, FailingRun failure) {
        return new CriterionResult(
                criterion, 0, failure.reason(), List.of(), Optional.of(failure.run()), failure.replay());
    }

    static CriterionResult of(String criterion, Optional<FailingRun> failure, String passedReason) {
        return failure.map(run -> failed(criterion, run)).orElseGet(() -> passed(criterion, passedReason));
    }

    /** A low cost counts only if the algorithm is right: one that does nothing costs nothing. */
    CriterionResult onlyIf(CriterionResult right) {
        return right.isPassed() || !isPassed()
                ? this
                : failed(criterion, reason + "; it counts only together with '" + right.criterion + "'");
    }

    CriterionResult withEarned(double share) {
        return new CriterionResult(criterion, share, reason, interleaving, run, replay);
    }

    public boolean isPassed() {
        return earned >= 1;
    }
}
