package habemus.cli.web;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with a page of a few bytes in place of the built one, which module web tests. */
class LabCommandTest {

    private static final String FOLDER_PROPERTY = "habemus.web";

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        System.clearProperty(FOLDER_PROPERTY);
    }

    private void build() throws IOException {
        Files.createDirectories(folder.resolve("page/engine"));
        Files.writeString(folder.resolve("page/index.html"), "<title>the page</title>");
        Files.writeString(folder.resolve("page/engine/laboratory.wasm"), "the engine");
        Files.writeString(folder.resolve("lab.html"), "<title>all in one</title>");
        Files.writeString(folder.resolve("lab-javascript.html"), "<title>for all browsers</title>");
        System.setProperty(FOLDER_PROPERTY, folder.toString());
    }

    @Test
    void out_writes_the_one_file() throws IOException {
        build();
        var file = folder.resolve("written.html");
        var output = CliRunner.line("lab --out " + file);
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(output.out()).contains("written.html holds the whole laboratory");
        assertThat(file).hasContent("<title>all in one</title>");
    }

    @Test
    void javascript_writes_the_file_for_older_browsers() throws IOException {
        build();
        var file = folder.resolve("written.html");
        assertThat(CliRunner.line("lab --javascript --out " + file).code()).isEqualTo(ExitCode.OK);
        assertThat(file).hasContent("<title>for all browsers</title>");
        var served = CliRunner.line("lab --javascript");
        assertThat(served.code()).isEqualTo(ExitCode.USAGE);
        assertThat(served.err()).contains("--javascript is for a file", "hint: write --javascript --out lab.html");
    }

    @Test
    void a_page_that_is_not_built_is_named_with_the_command_that_builds_it() {
        System.setProperty(FOLDER_PROPERTY, folder.toString());
        var output = CliRunner.line("lab --out " + folder.resolve("written.html"));
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err())
                .contains("the page of the laboratory is not built: " + folder, "hint: ", "./habemus lab");
    }

    @Test
    void a_file_needs_no_port() throws IOException {
        build();
        var output = CliRunner.line("lab --out x.html --port 8000");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("--out starts no server");
        assertThat(CliRunner.line("lab --port 70000").err()).contains("--port must be at most 65535, was 70000");
    }

    @Test
    void the_server_serves_the_folder_and_nothing_else() throws Exception {
        build();
        try (var server = new PageServer(folder.resolve("page"), 0);
                var client = HttpClient.newHttpClient()) {
            var address = URI.create(server.address());
            assertThat(address.getHost()).isEqualTo("localhost");
            var page = send(client, HttpRequest.newBuilder(address).build());
            assertThat(page.body()).isEqualTo("<title>the page</title>");
            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            var engine = send(client, get(address, "/engine/laboratory.wasm"));
            assertThat(engine.headers().firstValue("Content-Type")).contains("application/wasm");
            assertThat(send(client, get(address, "/missing.js")).statusCode()).isEqualTo(404);
            assertThat(send(client, get(address, "/%2e%2e/lab.html")).statusCode())
                    .isEqualTo(404);
            var post = HttpRequest.newBuilder(address).POST(BodyPublishers.noBody());
            assertThat(send(client, post.build()).statusCode()).isEqualTo(405);
        }
    }

    private static HttpRequest get(URI address, String path) {
        return HttpRequest.newBuilder(address.resolve(path)).build();
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest request)
            throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }
}
