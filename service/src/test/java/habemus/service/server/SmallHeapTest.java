package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node in a process with a heap of 64 MB, and a client that takes as many locks as it gets. */
@Tag("slow")
class SmallHeapTest {

    private static final int PORT = 7_611; // of the peers, which a node alone does not have

    @TempDir
    private Path folder;

    private String fill() throws IOException, InterruptedException {
        var result = folder.resolve("result");
        Files.deleteIfExists(result);
        var command = new ArrayList<>(TestJvm.command(
                SmallHeapMain.class.getName(),
                folder.resolve("data").toString(),
                String.valueOf(PORT),
                result.toString()));
        command.add(1, "-Xmx64m");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(result).as(Files.readString(folder.resolve("output"))).exists();
        return Files.readString(result);
    }

    @Test
    void a_node_refuses_locks_before_its_heap_is_full_and_starts_with_those_that_it_has() throws Exception {
        assertThat(fill()).matches("found=0 names=[0-9]{4,5} refused=PRINCIPAL_BYTES_FULL");
        assertThat(fill()).matches("found=[0-9]{4,5} .*refused=PRINCIPAL_BYTES_FULL");
    }
}
