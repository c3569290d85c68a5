package habemus.service.algorithm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/**
 * Builds the commands of test processes. They share a class data archive, which needs the classes in jars: without it,
 * most of the startup time is class loading.
 */
public final class TestJvm {

    private static final long TIMEOUT_SECONDS = 60;

    private TestJvm() {}

    /** A command that runs this main class. */
    public static List<String> command(String main, String... args) {
        var words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"));
        words.addAll(List.of("-XX:SharedArchiveFile=" + Shared.ARCHIVE, "-Xlog:disable"));
        words.addAll(List.of("-cp", Shared.CLASSES, main));
        words.addAll(List.of(args));
        return words;
    }

    /** Created with the first command. */
    private static final class Shared {
        static final Path FOLDER = folder();
        static final String CLASSES = classes();
        static final Path ARCHIVE = archive();

        private static Path folder() {
            try {
                var folder = Files.createTempDirectory("habemus-shared");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
                return folder;
            } catch (IOException refused) {
                throw new UncheckedIOException(refused);
            }
        }

        private static void delete(Path folder) {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
                Files.delete(folder);
            } catch (IOException left) {
                System.getLogger(TestJvm.class.getName()).log(System.Logger.Level.DEBUG, left);
            }
        }

        /** The class path of this process, with each folder packed into a jar. */
        private static String classes() {
            var path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            return Arrays.stream(path.split(":", -1))
                    .filter(entry -> !entry.isEmpty())
                    .map(Path::of)
                    .map(entry -> Files.isDirectory(entry) ? jar(entry) : entry)
                    .filter(Files::exists)
                    .map(Path::toString)
                    .collect(Collectors.joining(":"));
        }

        private static Path jar(Path classes) {
            var jar = FOLDER.resolve(Integer.toHexString(classes.hashCode()) + ".jar");
            try (var out = new JarOutputStream(Files.newOutputStream(jar));
                    var files = Files.walk(classes)) {
                out.setLevel(0);
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                    Files.copy(file, out);
                }
                return jar;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        /** If the archive cannot be created, processes start more slowly. */
        private static Path archive() {
            var archive = FOLDER.resolve("classes.jsa");
            var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            try {
                var training = new ProcessBuilder(
                                java,
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-XX:ArchiveClassesAtExit=" + archive,
                                "-Xlog:disable",
                                "-cp",
                                CLASSES,
                                ClassDataArchiveMain.class.getName(),
                                FOLDER.resolve("training").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!training.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    training.destroyForcibly();
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return archive;
        }
    }
}
