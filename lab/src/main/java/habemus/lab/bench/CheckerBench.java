package habemus.lab.bench;

import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Scope;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;

/** How many states a second the checker looks at, and what a state takes: every run of some small worlds. */
public final class CheckerBench {

    private static final List<Property> MUTEX =
            List.of(Property.MUTUAL_EXCLUSION, Property.DEADLOCK_FREEDOM, Property.NO_STARVATION, Property.FENCES_GROW);

    private static final List<Subject> SUBJECTS = List.of(
            new Subject(
                    "ricart-agrawala",
                    "3 nodes, 2 entries each, bag",
                    Scope.of(Topology.complete(3)).unordered().entering(2),
                    MUTEX),
            new Subject(
                    "ricart-agrawala",
                    "4 nodes, 1 entry each, bag",
                    Scope.of(Topology.complete(4)).unordered(),
                    MUTEX),
            new Subject("lamport", "3 nodes, 1 entry each, fifo", Scope.of(Topology.complete(3)), MUTEX),
            new Subject(
                    "chang-roberts",
                    "a ring of 7, each may campaign, fifo",
                    Scope.of(Topology.ring(7)),
                    Property.of(Problem.ELECTION)));

    private record Subject(String algorithm, String world, Scope scope, List<Property> properties) {

        Rounds.Size search(int threads) {
            var protocol = Catalogue.find(algorithm).orElseThrow().make(Setting.standard());
            var shared = scope.spending(Effort.ample().threads(threads));
            var report = Checker.check(protocol, shared, properties.toArray(Property[]::new));
            if (!report.complete() || report.failed()) {
                throw new IllegalStateException(algorithm + " is bounded or broken: " + report.bounded());
            }
            return new Rounds.Size(report.states(), report.transitions(), report.bytes());
        }
    }

    /** What was measured of one world on so many threads. */
    public record Row(String what, int threads, Rounds rounds) {}

    private final Progress progress;

    public CheckerBench(Progress progress) {
        this.progress = progress;
    }

    /** Each world on one thread and on two, each time in a JVM of its own: a cold round, then so many warm ones. */
    public List<Row> run(int rounds) {
        var rows = new ArrayList<Row>();
        for (Subject subject : SUBJECTS) {
            for (int threads = 1; threads <= 2; threads++) {
                var what = subject.algorithm + ", " + subject.world;
                progress.at(what, rows.size(), 2L * SUBJECTS.size());
                rows.add(new Row(what, threads, fork(subject, threads, rounds)));
            }
        }
        return rows;
    }

    private static Rounds fork(Subject subject, int threads, int rounds) {
        var number = Integer.toString(SUBJECTS.indexOf(subject));
        return Fork.run(CheckerBench.class, number, Integer.toString(threads), Integer.toString(1 + rounds));
    }

    /** What a fork does: the number of a subject, threads, rounds. */
    public static void main(String... args) {
        var order = Fork.Order.of(args);
        var subject = SUBJECTS.get(order.number(0));
        int threads = order.number(1);
        Rounds.of(order.started(), order.number(2), () -> subject.search(threads))
                .write(order.answer());
    }
}
