package habemus.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTest {

    @Test
    void tlc_and_the_checker_count_the_same(@TempDir Path folder) {
        var model = new Model(2, 5);
        assertThat(model.askTlc(folder, "1")).matches(model.check(1)::sameGraph);
    }
}
