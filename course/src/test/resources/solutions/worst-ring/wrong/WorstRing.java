import habemus.course.exercise.RingArrangement;
import java.util.ArrayList;
import java.util.List;

/** Which ring costs Chang–Roberts most messages, and how many? All nodes start at the same time. */
public class WorstRing implements RingArrangement {

    @Override
    public List<Integer> worstRing(int nodes) {
        var ring = new ArrayList<Integer>();
        for (int id = 1; id <= nodes; id++) {
            ring.add(id);
        }
        return ring;
    }

    @Override
    public long messages(int nodes) {
        return (long) nodes * nodes;
    }
}
