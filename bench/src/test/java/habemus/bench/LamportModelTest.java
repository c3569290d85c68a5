package habemus.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LamportModelTest {

    @Test
    void tlc_and_the_model_checker_find_graphs_of_the_same_size(@TempDir Path folder) {
        var lamportModel = new LamportModel(2, 5);
        assertThat(lamportModel.runTlc(folder, "1")).matches(lamportModel.check(1)::isSameGraph);
    }
}
