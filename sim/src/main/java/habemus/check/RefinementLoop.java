package habemus.check;

import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.FaultBudget;
import habemus.check.model.NodePermutation;
import habemus.check.model.NodeSemantics;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.check.reduction.PermutationGroup;
import habemus.check.search.BreadthFirstSearch;
import habemus.check.search.SearchResult;
import habemus.check.search.StateSpace;
import habemus.protocol.FailureDetector;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Repeats a search until it refutes none of the assumptions of its reductions. If a search with eager delivery found a
 * violation, one more search without reductions looks for a shortest run to it. Symmetry keeps the lengths of runs.
 */
final class RefinementLoop<S, M> {

    /** With more nodes there are too many permutations to try. */
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
        deadlineNanos = System.nanoTime() + scope.options().limits().time().toNanos();
    }

    CheckReport run() {
        boolean eagerDelivery = scope.options().reductions().order()
                && !tracksCausality // every message carries the requests before it
                && FaultBudget.PAUSE.initial(scope) == 0 // a pause separates a delivered message from one in flight
                && !(protocol instanceof FailureDetector); // heartbeats in flight are merged
        var refuted = new RefutedAssumptions();
        var group = symmetryGroup(refuted);
        Optional<SearchResult> result = Optional.empty();
        while (result.isEmpty()) {
            var assumptions = new ReductionAssumptions(eagerDelivery, group, refuted);
            result = newSearch(scope, assumptions)
                    .stoppingWhenFound(decisiveViolations())
                    .run(deadlineNanos);
            if (!assumptions.isSymmetryUnrefuted()) {
                group = symmetryGroup(refuted);
                refuted.clearDeliveries();
            }
        }
        var report = report(result.get());
        return eagerDelivery && report.hasViolation() ? withShortestTraces(report) : report;
    }

    /** The violations that leave nothing to decide. The largest bypass needs all states. */
    private List<String> decisiveViolations() {
        return scope.options().limits().stop() == CheckOptions.Stop.WHEN_DECIDED
                        && !properties.contains(Property.BOUNDED_WAITING)
                ? properties.stream().map(Property::toString).toList()
                : List.of();
    }

    private List<NodePermutation> symmetryGroup(RefutedAssumptions refuted) {
        var nodes = scope.topology().nodes();
        if (!scope.options().reductions().symmetry() || nodes.size() > MAX_SYMMETRY_NODES) {
            return List.of(NodePermutation.identity(nodes));
        }
        return PermutationGroup.largestWithin(
                NodePermutation.all(nodes).stream().filter(refuted::allows).toList());
    }

    private BreadthFirstSearch newSearch(Scope within, ReductionAssumptions assumptions) {
        var monitored = properties.stream()
                .filter(property -> property != Property.BOUNDED_WAITING)
                .toList();
        var semantics = new NodeSemantics<>(protocol, within, tracksCausality);
        return new BreadthFirstSearch(new StateSpace(semantics, monitored, assumptions), monitored);
    }

    private CheckReport report(SearchResult result) {
        return new ReportBuilder(protocol, result, properties).build();
    }

    private CheckReport withShortestTraces(CheckReport report) {
        var violated = report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .toList();
        var names = violated.stream().map(CheckReport.Finding::name).toList();
        int depth = violated.stream().mapToInt(RefinementLoop::length).max().orElseThrow();
        var options = scope.options();
        var shallow = scope.withOptions(
                options.withMaxDepth(Math.min(depth, options.limits().maxDepth())));
        var unreduced = newSearch(
                        shallow, ReductionAssumptions.none(scope.topology().nodes()))
                .stoppingWhenFound(names)
                .run(deadlineNanos)
                .map(this::report)
                .orElseThrow();
        return report.withFindings(report.findings().stream()
                .map(finding -> withShortestTrace(finding, unreduced))
                .toList());
    }

    private static CheckReport.Finding withShortestTrace(CheckReport.Finding finding, CheckReport unreduced) {
        if (finding.verdict() != Verdict.VIOLATED) {
            return finding;
        }
        return unreduced
                .find(finding.name())
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
