import habemus.course.exercise.ElectionTest;
import java.util.List;

/** Is content if some node reports some leader. */
public class TwoInitiators implements ElectionTest {

    @Override
    public List<Setup> setups() {
        return List.of(new Setup(4, List.of(), List.of(1, 2)));
    }

    @Override
    public boolean isRight(Setup setup, List<Report> reports) {
        return !reports.isEmpty();
    }
}
