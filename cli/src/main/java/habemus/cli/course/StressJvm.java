package habemus.cli.course;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.TemporaryFolder;
import habemus.course.threads.StressReport;
import habemus.lab.command.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;

/**
 * Runs module {@code stress} in a JVM of its own and reads its JSON. JMH, jcstress, Lincheck and JOL are on its class
 * path, not in {@code habemus.jar}.
 */
final class StressJvm {

    /** The launcher names the folder with the jar of the module and the file {@code classpath}. */
    private static final String FOLDER_PROPERTY = "habemus.stress";

    private static final String MAIN_CLASS = "habemus.stress.StressMain";
    private static final int ERROR_LINES = 5;
    private static final Pattern PROGRESS = Pattern.compile("progress (\\d+) (\\d+) (.*)");

    /** JOL attaches to its own JVM. The JVM must be told to obey {@code @Contended}. JMH may run beside others. */
    private static final List<String> OPTIONS = List.of(
            "-Djdk.attach.allowAttachSelf=true",
            "--add-exports=java.base/jdk.internal.vm.annotation=ALL-UNNAMED",
            "-XX:-RestrictContended",
            "-Djmh.ignoreLock=true");

    private final String classPath;

    StressJvm(String classPath) {
        this.classPath = classPath;
    }

    /** @throws CommandException if the module is not built */
    static StressJvm find() {
        var folder = Path.of(System.getProperty(FOLDER_PROPERTY, "stress/target"));
        try (var jars = Files.newDirectoryStream(folder, "habemus-stress-*.jar")) {
            var jar = jars.iterator().next();
            return new StressJvm(
                    jar + System.getProperty("path.separator") + Files.readString(folder.resolve("classpath")));
        } catch (IOException | NoSuchElementException missing) {
            throw CommandException.failure(
                    "module stress is not built: " + folder + " (it holds JMH, jcstress, Lincheck and JOL)",
                    "start ./habemus of a source tree, or run ./build -Dquick -pl cli,stress -am package");
        }
    }

    /** The same JVM with further classes. */
    StressJvm withClasses(Path folder) {
        return new StressJvm(folder + System.getProperty("path.separator") + classPath);
    }

    /** @throws CommandException if the JVM fails */
    <T extends StressReport> T run(Class<T> type, ProgressLine progress, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", classPath, MAIN_CLASS));
        command.addAll(List.of(arguments));
        try (var folder = TemporaryFolder.create("habemus-stress")) {
            var output = folder.path().resolve("output");
            var process = new ProcessBuilder(command)
                    .directory(folder.path().toFile())
                    .redirectOutput(output.toFile())
                    .start();
            try (var interrupt = new InterruptSignal(() -> kill(process))) {
                var lastLines = readErrors(process, progress);
                if (process.waitFor() != 0) {
                    throw failure(
                            arguments[0], interrupt.isInterrupted() ? "interrupted" : String.join(" ", lastLines));
                }
                return new Gson().fromJson(Files.readString(output), type);
            } finally {
                kill(process);
            }
        } catch (IOException | JsonSyntaxException failed) {
            throw failure(arguments[0], String.valueOf(failed.getMessage()));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw failure(arguments[0], "interrupted");
        }
    }

    /** Also ends the JVMs that JMH and jcstress start. */
    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Shows progress lines. Returns the last other lines, which say why the JVM failed if it fails. */
    private static Deque<String> readErrors(Process process, ProgressLine progress) throws IOException {
        var lastLines = new ArrayDeque<String>();
        try (var errors = process.errorReader(StandardCharsets.UTF_8)) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                var matcher = PROGRESS.matcher(line);
                if (matcher.matches()) {
                    progress.show(matcher.group(3), Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
                } else if (!line.startsWith("WARNING") && !line.isBlank()) {
                    lastLines.add(line.strip());
                    if (lastLines.size() > ERROR_LINES) {
                        lastLines.remove();
                    }
                }
            }
        }
        return lastLines;
    }

    private static CommandException failure(String program, String reason) {
        return CommandException.failure(
                "the JVM of " + program + " failed: " + reason, "run the command again on a quiet machine");
    }
}
