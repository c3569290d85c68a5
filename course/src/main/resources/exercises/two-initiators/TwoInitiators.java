import habemus.course.exercise.ElectionTest;
import java.util.List;

/** A test of the bully algorithm: two nodes start an election at the same time. */
public class TwoInitiators implements ElectionTest {

    @Override
    public List<Setup> setups() {
        return List.of(new Setup(3, List.of(3), List.of(1, 2))); // 3 nodes, n3 is down, n1 and n2 start
    }

    @Override
    public boolean isRight(Setup setup, List<Report> reports) {
        return true;
    }
}
