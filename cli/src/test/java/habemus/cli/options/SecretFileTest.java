package habemus.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lab.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {

    @TempDir
    private Path folder;

    private Path file(String permissions, String content) throws IOException {
        var file = Files.writeString(folder.resolve("token"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------", "rwx------"})
    void the_secret_is_the_first_line_of_a_file_of_its_owner(String permissions) throws IOException {
        assertThat(SecretFile.read(file(permissions, "s3cr3t\nmore\n").toString(), "--token-file"))
                .isEqualTo("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw----r--", "rw-r-----", "rw--w----", "rw-----w-"})
    void a_file_that_others_can_read_or_write_is_refused_with_a_hint(String permissions) throws IOException {
        var file = file(permissions, "s3cr3t\n").toString();
        assertThatThrownBy(() -> SecretFile.read(file, "--token-file"))
                .isInstanceOfSatisfying(CommandException.class, refused -> {
                    assertThat(refused.message())
                            .isEqualTo("other users can read or change --token-file " + file + " (permissions "
                                    + permissions + ")");
                    assertThat(refused.hint()).isEqualTo("chmod 600 " + file);
                });
    }

    @Test
    void a_missing_and_an_empty_file_are_named() throws IOException {
        var missing = folder.resolve("nowhere").toString();
        assertThatThrownBy(() -> SecretFile.read(missing, "--token-file"))
                .hasMessage("cannot read --token-file " + missing + ": no such file");
        var empty = file("rw-------", "\n").toString();
        assertThatThrownBy(() -> SecretFile.read(empty, "--token-file"))
                .hasMessage("--token-file " + empty + " has an empty first line");
    }
}
