package habemus.course.exercise;

import java.util.List;

/**
 * A test of the bully algorithm that a student writes: which elections to try, and whether what the nodes report is
 * right. The node with the highest number is the best one.
 */
public interface ElectionTest {

    /**
     * An election: two nodes start it at the same time.
     *
     * @param nodes the number of nodes, 2 to 8
     * @param crashed the nodes that are down from the start
     * @param initiators two nodes that are up
     */
    record Setup(int nodes, List<Integer> crashed, List<Integer> initiators) {

        public Setup {
            crashed = List.copyOf(crashed);
            initiators = List.copyOf(initiators);
        }
    }

    /** A node reports a leader, perhaps itself. */
    record Report(int node, int leader) {}

    /** The elections to try. */
    List<Setup> setups();

    /** @param reports what the nodes reported until the end, in the order of time */
    boolean isRight(Setup setup, List<Report> reports);
}
