package habemus.service.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.service.algorithm.TestJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a data folder of the file system promises. */
class FileDiskTest {

    @TempDir
    private Path parent;

    private Path folder;
    private FileDisk disk;

    @BeforeEach
    void open() {
        folder = parent.resolve("data");
        disk = new FileDisk(folder);
    }

    @AfterEach
    void close() {
        disk.close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private String read(String file) {
        return disk.read(file).map(found -> UTF_8.decode(found).toString()).orElse("none");
    }

    /** What another process that opens the folder prints; empty if it succeeds. */
    private String openInAnotherProcess() throws IOException, InterruptedException {
        var process = new ProcessBuilder(TestJvm.command(FileDiskMain.class.getName(), folder.toString()))
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isEqualTo(output.isEmpty() ? 0 : 1);
        return output;
    }

    @Test
    void the_head_of_a_file_is_read_alone() {
        disk.create("a").write(0, bytes("abcdef"));
        assertThat(disk.readHead("a", 3)).contains(bytes("abc"));
        assertThat(disk.readHead("a", 10)).contains(bytes("abcdef"));
        assertThat(disk.readHead("b", 3)).isEmpty();
    }

    // ---- one node a folder ----

    @Test
    void a_second_node_of_this_process_is_refused() {
        assertThatThrownBy(() -> new FileDisk(folder))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("data folder is in use by another node: " + folder)
                .hasMessageContaining("hint: ");
    }

    @Test
    void a_second_node_of_this_process_is_refused_under_another_name_of_the_folder() throws IOException {
        var link = Files.createSymbolicLink(parent.resolve("link"), folder);
        assertThatThrownBy(() -> new FileDisk(link)).hasMessageStartingWith("data folder is in use by another node");
    }

    @Test
    void a_node_of_another_process_is_refused() throws IOException, InterruptedException {
        assertThat(openInAnotherProcess()).contains("data folder is in use by another node: " + folder);
    }

    @Test
    void a_refused_node_does_not_release_the_folder() throws IOException, InterruptedException {
        assertThatThrownBy(() -> new FileDisk(folder)).isInstanceOf(IllegalStateException.class);
        assertThat(openInAnotherProcess()).contains("data folder is in use by another node");
    }

    @Test
    void a_closed_folder_can_be_used_again() throws IOException, InterruptedException {
        disk.close();
        assertThat(openInAnotherProcess()).isEmpty();
        disk = new FileDisk(folder);
    }

    // ---- permissions ----

    @Test
    void only_the_owner_may_use_the_folder_and_its_files() throws IOException {
        disk.create("created").close();
        disk.replace("replaced", bytes("a"));
        disk.stage("staged", bytes("a"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (var files = Files.list(folder)) {
            assertThat(files)
                    .hasSize(4)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void a_folder_that_others_may_read_is_closed_to_them() throws IOException {
        disk.close();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        disk = new FileDisk(folder);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    // ---- files ----

    @Test
    void staged_content_does_not_replace_the_file_before_it_is_published() {
        disk.replace("a", bytes("old"));
        disk.stage("a", bytes("new"), bytes(" content"));
        assertThat(read("a")).isEqualTo("old");
        assertThat(disk.list()).containsExactly("a");
        disk.publish("a");
        assertThat(read("a")).isEqualTo("new content");
        assertThat(disk.list()).containsExactly("a");
    }

    @Test
    void an_open_file_is_written_in_place() {
        try (var file = disk.create("a")) {
            file.write(0, bytes("abcdef"));
            file.write(2, bytes("XY"));
            file.sync();
        }
        try (var file = disk.open("a")) {
            file.truncate(5);
        }
        assertThat(read("a")).isEqualTo("abXYe");
    }

    @Test
    void a_file_is_created_only_once() {
        disk.create("a").close();
        assertThatThrownBy(() -> disk.create("a"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot open " + folder.resolve("a"));
    }

    @Test
    void a_deleted_file_does_not_exist() {
        disk.replace("a", bytes("old"));
        disk.delete("a");
        disk.delete("never created");
        assertThat(disk.read("a")).isEmpty();
        assertThat(disk.list()).isEmpty();
    }

    @Test
    void a_file_that_does_not_exist_cannot_be_opened() {
        assertThatThrownBy(() -> disk.open("a")).isInstanceOf(UncheckedIOException.class);
    }
}
