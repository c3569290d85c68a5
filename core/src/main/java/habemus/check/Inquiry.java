package habemus.check;

import habemus.protocol.Detecting;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * As many searches as it takes: again, if one took something for granted that is not so; and once more, if one that
 * was reduced found a violation, for a shortest run to it.
 */
final class Inquiry<S, M> {

    /** With more nodes there are too many renamings to try. */
    private static final int MOST = 5;

    private final Protocol<S, M> protocol;
    private final Scope scope;
    private final List<Property> properties;
    private final boolean causal;
    private final long end;

    Inquiry(Protocol<S, M> protocol, Scope scope, List<Property> properties) {
        this.protocol = protocol;
        this.scope = scope;
        this.properties = properties;
        causal = properties.contains(Property.HAPPENED_BEFORE_ORDER);
        end = System.nanoTime() + scope.effort().time().toNanos();
    }

    Report run() {
        boolean order = scope.effort().order()
                && !causal // who asked is in every letter then
                && Toll.PAUSE.granted(scope) == 0 // which parts who has a letter from who has it under way
                && !(protocol instanceof Detecting); // whose heartbeats are one with those before them
        var doubts = new Doubts();
        var group = group(doubts);
        Optional<Report> report = Optional.empty();
        while (report.isEmpty()) {
            var assumptions = new Assumptions(order, group, doubts);
            report = search(scope, assumptions).run(end);
            if (!assumptions.groupStands()) {
                group = group(doubts);
                doubts.trustLetters();
            }
        }
        boolean reduced = !report.get().reductions().isEmpty();
        return reduced && report.get().failed() ? shortened(report.get()) : report.get();
    }

    private List<Renaming> group(Doubts doubts) {
        var nodes = scope.topology().nodes();
        if (!scope.effort().symmetry() || nodes.size() > MOST) {
            return List.of(Renaming.none(nodes));
        }
        return Group.among(Renaming.all(nodes).stream().filter(doubts::allow).toList());
    }

    private Search search(Scope within, Assumptions assumptions) {
        return new Search(new Stage<>(protocol, within, causal), properties, assumptions);
    }

    private Report shortened(Report report) {
        var violated = report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .toList();
        var names = violated.stream().map(Report.Finding::name).toList();
        int depth = violated.stream().mapToInt(Inquiry::length).max().orElseThrow();
        var shallow = scope.spending(
                scope.effort().depth(Math.min(depth, scope.effort().depth())));
        var whole = search(shallow, Assumptions.none(scope.topology().nodes()))
                .seeking(names)
                .run(end)
                .orElseThrow();
        return report.telling(report.findings().stream()
                .map(finding -> shortened(finding, whole))
                .toList());
    }

    private static Report.Finding shortened(Report.Finding finding, Report whole) {
        if (finding.verdict() != Verdict.VIOLATED) {
            return finding;
        }
        return whole.find(finding.name())
                .filter(other -> other.verdict() == Verdict.VIOLATED)
                .orElseGet(() -> new Report.Finding(
                        finding.name(),
                        finding.verdict(),
                        finding.words() + Report.MAYBE_SHORTER,
                        finding.run(),
                        finding.schedule(),
                        finding.loop()));
    }

    private static int length(Report.Finding finding) {
        return (int) finding.run().getLast().at();
    }
}
