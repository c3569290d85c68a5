package habemus.check;

import habemus.check.model.CheckReport;
import habemus.check.model.FaultBudget;
import habemus.check.model.NodePermutation;
import habemus.check.model.NodeSemantics;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.check.reduction.PermutationGroup;
import habemus.check.search.BreadthFirstSearch;
import habemus.protocol.FailureDetector;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * As many searches as it takes: again, if one took something for granted that is not so; and once more, if one that
 * was reduced found a violation, for a shortest run to it.
 */
final class RefinementLoop<S, M> {

    /** With more nodes there are too many renamings to try. */
    private static final int MAX_SYMMETRY_NODES = 5;

    private final Protocol<S, M> protocol;
    private final Scope scope;
    private final List<Property> properties;
    private final boolean tracksCausality;
    private final long deadlineNanos;

    RefinementLoop(Protocol<S, M> protocol, Scope scope, List<Property> properties) {
        this.protocol = protocol;
        this.scope = scope;
        this.properties = properties;
        tracksCausality = properties.contains(Property.HAPPENED_BEFORE_ORDER);
        deadlineNanos = System.nanoTime() + scope.options().timeLimit().toNanos();
    }

    CheckReport run() {
        boolean order = scope.options().orderReduction()
                && !tracksCausality // who asked is in every letter then
                && FaultBudget.PAUSE.initial(scope) == 0 // which parts who has a letter from who has it under way
                && !(protocol instanceof FailureDetector); // whose heartbeats are one with those before them
        var refutedAssumptions = new RefutedAssumptions();
        var group = symmetryGroup(refutedAssumptions);
        Optional<CheckReport> checkReport = Optional.empty();
        while (checkReport.isEmpty()) {
            var reductionAssumptions = new ReductionAssumptions(order, group, refutedAssumptions);
            checkReport = newSearch(scope, reductionAssumptions).run(deadlineNanos);
            if (!reductionAssumptions.isSymmetryUnrefuted()) {
                group = symmetryGroup(refutedAssumptions);
                refutedAssumptions.clearDeliveries();
            }
        }
        boolean reduced = !checkReport.get().reductions().isEmpty();
        return reduced && checkReport.get().hasViolation() ? withShortestTraces(checkReport.get()) : checkReport.get();
    }

    private List<NodePermutation> symmetryGroup(RefutedAssumptions refutedAssumptions) {
        var nodes = scope.topology().nodes();
        if (!scope.options().symmetryReduction() || nodes.size() > MAX_SYMMETRY_NODES) {
            return List.of(NodePermutation.identity(nodes));
        }
        return PermutationGroup.largestWithin(NodePermutation.all(nodes).stream()
                .filter(refutedAssumptions::allows)
                .toList());
    }

    private BreadthFirstSearch newSearch(Scope within, ReductionAssumptions reductionAssumptions) {
        return new BreadthFirstSearch(
                new NodeSemantics<>(protocol, within, tracksCausality), properties, reductionAssumptions);
    }

    private CheckReport withShortestTraces(CheckReport checkReport) {
        var violated = checkReport.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .toList();
        var names = violated.stream().map(CheckReport.Finding::name).toList();
        int depth = violated.stream().mapToInt(RefinementLoop::length).max().orElseThrow();
        var shallow = scope.withOptions(
                scope.options().withMaxDepth(Math.min(depth, scope.options().maxDepth())));
        var whole = newSearch(
                        shallow, ReductionAssumptions.none(scope.topology().nodes()))
                .stoppingWhenFound(names)
                .run(deadlineNanos)
                .orElseThrow();
        return checkReport.withFindings(checkReport.findings().stream()
                .map(finding -> withShortestTraces(finding, whole))
                .toList());
    }

    private static CheckReport.Finding withShortestTraces(CheckReport.Finding finding, CheckReport whole) {
        if (finding.verdict() != Verdict.VIOLATED) {
            return finding;
        }
        return whole.find(finding.name())
                .filter(other -> other.verdict() == Verdict.VIOLATED)
                .orElseGet(() -> new CheckReport.Finding(
                        finding.name(),
                        finding.verdict(),
                        finding.description() + CheckReport.MAYBE_SHORTER,
                        finding.trace(),
                        finding.schedule(),
                        finding.loopStart()));
    }

    private static int length(CheckReport.Finding finding) {
        return (int) finding.trace().getLast().at();
    }
}
