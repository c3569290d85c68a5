package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fence guards in memory and in a file. */
@Timeout(60)
class FenceGuardTest {

    @TempDir
    private static Path folder;

    static Stream<FenceGuard> guards() throws IOException {
        return Stream.of(
                FenceGuard.inMemory(),
                FenceGuard.inFile(Files.createTempDirectory(folder, "guard").resolve("fences")));
    }

    @ParameterizedTest
    @MethodSource("guards")
    void a_guard_rejects_a_smaller_fence_than_one_it_has_seen(FenceGuard guard) {
        guard.check("orders", 5);
        guard.check("orders", 5);
        guard.check("orders", 9);
        assertThatThrownBy(() -> guard.check("orders", 8)).isInstanceOfSatisfying(StaleFenceException.class, late -> {
            assertThat(late.fence()).isEqualTo(8);
            assertThat(late.largestSeen()).isEqualTo(9);
        });
        guard.check("other name\n%+ü", 1);
        assertThatThrownBy(() -> guard.check("other name\n%+ü", 0)).isInstanceOf(StaleFenceException.class);
        guard.check("orders", 10);
    }

    @ParameterizedTest
    @MethodSource("guards")
    void concurrent_writers_write_with_growing_fences(FenceGuard guard) throws InterruptedException {
        var written = Collections.synchronizedList(new ArrayList<Long>());
        var threads = new ArrayList<Thread>();
        for (int thread = 0; thread < 4; thread++) {
            int mine = thread;
            threads.add(Thread.ofVirtual().start(() -> {
                for (long fence = mine; fence < 40; fence += 4) {
                    try {
                        long now = fence;
                        guard.run("orders", fence, () -> written.add(now));
                    } catch (StaleFenceException late) {
                        assertThat(late.largestSeen()).isGreaterThan(late.fence());
                    }
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(written).isSorted().contains(39L);
    }

    @Test
    void a_file_guard_keeps_its_fences() {
        var file = folder.resolve("remembered");
        FenceGuard.inFile(file).check("orders", 7);
        assertThatThrownBy(() -> FenceGuard.inFile(file).check("orders", 6)).isInstanceOf(StaleFenceException.class);
    }

    @Test
    void a_damaged_file_rejects_every_write() throws IOException {
        var file = folder.resolve("damaged");
        Files.writeString(file, "7 orders\n8 inv oices\n");
        assertThatThrownBy(() -> FenceGuard.inFile(file).check("orders", 9))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(
                        "damaged fence file " + file + ": \"8 inv oices\" (a line must be a fence and a name)");
    }

    @Test
    void processes_can_share_a_file_guard() throws Exception {
        var file = folder.resolve("shared");
        var processes = new ArrayList<Process>();
        for (int i = 0; i < 3; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            CounterMain.class.getName(),
                            file.toString(),
                            Integer.toString(i))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
        for (var process : processes) {
            assertThat(process.waitFor()).isZero();
        }
        // three processes have added thirty each; without the guard some increments would be lost
        assertThat(Files.readString(folder.resolve("shared.count"))).isEqualTo("90");
    }

    /** Increments a number in a file thirty times, each time with an accepted fence. */
    static final class CounterMain {

        private CounterMain() {}

        public static void main(String[] words) {
            var guard = FenceGuard.inFile(Path.of(words[0]));
            for (int i = 0; i < 30; i++) {
                count(guard, Path.of(words[0] + ".count"));
            }
        }

        private static void count(FenceGuard guard, Path count) {
            for (long fence = 1; ; fence++) {
                try {
                    guard.run("count", fence, () -> add(count));
                    return;
                } catch (StaleFenceException late) {
                    fence = late.largestSeen() - 1;
                }
            }
        }

        private static void add(Path count) {
            try {
                int before = Files.exists(count) ? Integer.parseInt(Files.readString(count)) : 0;
                Files.writeString(count, Integer.toString(before + 1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
