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

class AtomicFileTest {

    record Vote(long term, String whom) {}

    record Other(String text) {}

    @TempDir
    private Path folder;

    private DurableStateFile<Vote> memory;

    @BeforeEach
    void open() {
        memory = new DurableStateFile<>(folder.resolve("vote.memory"), Codec.of(Vote.class));
    }

    @Test
    void nothing_is_remembered_before_anything_was_saved() {
        assertThat(memory.load()).isEmpty();
    }

    @Test
    void the_last_that_was_saved_is_remembered() {
        memory.save(new Vote(1, "n1"));
        memory.save(new Vote(2, "n3"));
        assertThat(memory.load()).contains(new Vote(2, "n3"));
        assertThat(folder).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void a_write_that_was_cut_off_leaves_what_was_before() throws IOException {
        memory.save(new Vote(1, "n1"));
        Files.write(folder.resolve("vote.memory.new"), new byte[] {1, 2, 3});
        AtomicFile.verifyFolder(folder);
        assertThat(memory.load()).contains(new Vote(1, "n1"));
    }

    /** Every bit counts. */
    @Test
    void a_damaged_file_is_refused_and_stays_as_it_is() throws IOException {
        memory.save(new Vote(7, "n2"));
        var whole = Files.readAllBytes(memory.file());
        for (int bit = 0; bit < whole.length * 8; bit++) {
            var damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(memory.file(), damaged);
            assertThatThrownBy(() -> memory.load())
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageStartingWith(memory.file() + " is damaged");
            assertThat(Files.readAllBytes(memory.file())).isEqualTo(damaged);
        }
    }

    @Test
    void a_torn_file_is_refused() throws IOException {
        memory.save(new Vote(7, "n2"));
        var whole = Files.readAllBytes(memory.file());
        for (int length = 0; length < whole.length; length++) {
            Files.write(memory.file(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> AtomicFile.verifyFolder(folder)).isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void the_memory_of_another_algorithm_is_refused() {
        new DurableStateFile<>(memory.file(), Codec.of(Other.class)).save(new Other("a longer text than a vote has"));
        assertThatThrownBy(() -> memory.load())
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("holds the memory of another algorithm");
    }
}
