import habemus.course.exercise.ElectionTest;
import java.util.List;
import java.util.stream.IntStream;

public class TwoInitiators implements ElectionTest {

    @Override
    public List<Setup> setups() {
        return List.of(
                new Setup(3, List.of(3), List.of(1, 2)),
                new Setup(4, List.of(), List.of(1, 2)),
                new Setup(4, List.of(4), List.of(1, 2)),
                new Setup(5, List.of(5), List.of(1, 3)),
                new Setup(5, List.of(4, 5), List.of(2, 3)));
    }

    /** Every live node names the best live node, and no other node ever leads. */
    @Override
    public boolean isRight(Setup setup, List<Report> reports) {
        var live = IntStream.rangeClosed(1, setup.nodes())
                .filter(node -> !setup.crashed().contains(node))
                .boxed()
                .toList();
        int best = live.getLast();
        return live.stream().allMatch(node -> reports.contains(new Report(node, best)))
                && reports.stream().allMatch(report -> report.leader() == best);
    }
}
