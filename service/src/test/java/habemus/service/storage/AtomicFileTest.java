package habemus.service.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.codec.Codec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crash or a damaged byte does to a file. */
class AtomicFileTest {

    record Vote(long term, String candidate) {}

    record Other(String text) {}

    @TempDir
    private Path folder;

    private DurableStateFile<Vote> stateFile;

    @BeforeEach
    void open() {
        stateFile = new DurableStateFile<>(folder.resolve("vote.memory"), Codec.of(Vote.class));
    }

    @Test
    void a_missing_file_is_empty() {
        assertThat(stateFile.load()).isEmpty();
    }

    @Test
    void the_last_saved_state_is_loaded() {
        stateFile.save(new Vote(1, "n1"));
        stateFile.save(new Vote(2, "n3"));
        assertThat(stateFile.load()).contains(new Vote(2, "n3"));
        assertThat(folder).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void an_interrupted_write_leaves_the_old_state() throws IOException {
        stateFile.save(new Vote(1, "n1"));
        Files.write(folder.resolve("vote.memory.new"), new byte[] {1, 2, 3});
        AtomicFile.verifyFolder(folder);
        assertThat(stateFile.load()).contains(new Vote(1, "n1"));
    }

    @Test
    void a_single_flipped_bit_is_detected_and_the_file_is_not_changed() throws IOException {
        stateFile.save(new Vote(7, "n2"));
        var intact = Files.readAllBytes(stateFile.file());
        for (int bit = 0; bit < intact.length * 8; bit++) {
            var damaged = intact.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(stateFile.file(), damaged);
            assertThatThrownBy(() -> stateFile.load())
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageStartingWith(stateFile.file() + " is damaged");
            assertThat(Files.readAllBytes(stateFile.file())).isEqualTo(damaged);
        }
    }

    @Test
    void a_truncated_file_is_rejected() throws IOException {
        stateFile.save(new Vote(7, "n2"));
        var intact = Files.readAllBytes(stateFile.file());
        for (int length = 0; length < intact.length; length++) {
            Files.write(stateFile.file(), Arrays.copyOf(intact, length));
            assertThatThrownBy(() -> AtomicFile.verifyFolder(folder)).isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void the_state_of_another_algorithm_is_rejected() {
        new DurableStateFile<>(stateFile.file(), Codec.of(Other.class))
                .save(new Other("a longer text than a vote has"));
        assertThatThrownBy(() -> stateFile.load())
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("holds the state of another algorithm");
    }
}
