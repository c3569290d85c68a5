package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ResourceName;
import habemus.service.server.Principal.Permission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessPolicyTest {

    private static final String TOKEN = "3f1c2a9e";

    private static AccessPolicy access(String... lines) {
        return AccessPolicy.of(List.of(lines), "policy");
    }

    private static final AccessPolicy SOME = access(
            "# who may do what",
            "",
            AccessPolicy.hashToken(TOKEN) + " billing use,inspect:orders-* use:invoices",
            "certificate ops use,inspect,administer:*",
            "anybody guest inspect:public-*");

    @ParameterizedTest
    @CsvSource({
        "USE, orders-7, true",
        "INSPECT, orders-, true",
        "USE, orders, false",
        "ADMINISTER, orders-7, false",
        "USE, invoices, true",
        "USE, invoices-7, false",
        "INSPECT, invoices, false",
    })
    void rights_are_about_names_and_their_beginnings(Permission permission, String name, boolean may) {
        var billing = SOME.authenticate(TOKEN, Optional.empty()).orElseThrow();
        assertThat(billing.name()).isEqualTo("billing");
        assertThat(billing.isAllowed(permission, ResourceName.lock(name))).isEqualTo(may);
    }

    @Test
    void a_certificate_proves_who_it_is() {
        var ops = SOME.authenticate("", Optional.of("ops")).orElseThrow();
        assertThat(ops.isAllowedEverywhere(Permission.ADMINISTER)).isTrue();
    }

    @Test
    void whoever_shows_nothing_that_is_known_is_anybody() {
        assertThat(SOME.authenticate("", Optional.empty())).hasValueSatisfying(guest -> {
            assertThat(guest.isAllowed(Permission.INSPECT, ResourceName.lock("public-1")))
                    .isTrue();
            assertThat(guest.isAllowed(Permission.USE, ResourceName.lock("public-1")))
                    .isFalse();
            assertThat(guest.isAllowedEverywhere(Permission.INSPECT)).isFalse();
        });
        assertThat(access("certificate ops use:*").authenticate("", Optional.of("stranger")))
                .isEmpty();
    }

    @Test
    void a_wrong_token_is_not_forgiven() {
        assertThat(SOME.authenticate("wrong", Optional.of("ops"))).isEmpty();
    }

    @Test
    void the_file_gives_no_token_away() {
        assertThat(AccessPolicy.hashToken(TOKEN)).startsWith("sha256:").doesNotContain(TOKEN);
    }

    @Test
    void where_nobody_is_asked_everybody_may_do_everything() {
        var anybody = AccessPolicy.allowAll()
                .authenticate("whatever", Optional.empty())
                .orElseThrow();
        assertThat(anybody.isAllowedEverywhere(Permission.ADMINISTER)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secret billing use:* | proves nothing",
                "certificate billing | what it may do",
                "certificate billing fly:* | there are use, inspect and administer",
                "certificate billing use | looks like",
                "certificate billing use: | looks like",
            })
    void what_is_wrong_with_a_line_is_said(String line, String says) {
        assertThatThrownBy(() -> access("# first", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy, line 2: ")
                .hasMessageContaining(says);
    }

    @Test
    void nobody_is_there_twice() {
        assertThatThrownBy(() -> access("certificate a use:*", "certificate a inspect:*"))
                .hasMessageContaining("line 2");
    }

    @Test
    void a_file_that_was_changed_is_read_again_and_a_wrong_one_is_not(@TempDir Path folder) throws IOException {
        var nanos = new AtomicLong();
        var file = Files.write(folder.resolve("access"), List.of("certificate ops use:*"));
        var accessPolicy = AccessPolicy.of(file, nanos::get);
        assertThat(accessPolicy.authenticate("", Optional.of("ops"))).isPresent();

        Files.write(file, List.of("certificate billing use:*"));
        assertThat(accessPolicy.authenticate("", Optional.of("ops")))
                .as("not yet looked at")
                .isPresent();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(accessPolicy.authenticate("", Optional.of("ops"))).isEmpty();
        assertThat(accessPolicy.authenticate("", Optional.of("billing"))).isPresent();
        assertThat(accessPolicy.version()).isEqualTo(2);

        for (List<String> wrong : List.of(List.of("certificate ops fly:*"), List.of("nonsense"))) {
            Files.write(file, wrong);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(accessPolicy.authenticate("", Optional.of("billing"))).isPresent();
        }
        Files.delete(file);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(accessPolicy.authenticate("", Optional.of("billing"))).isPresent();
        assertThat(accessPolicy.version()).isEqualTo(2);

        Files.write(file, List.of("certificate ops use:*"));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(accessPolicy.authenticate("", Optional.of("ops"))).isPresent();
    }

    @Test
    void refusals_are_counted() {
        var accessPolicy = AccessPolicy.allowAll();
        accessPolicy.reportDenied("somebody", "127.0.0.1", "to fly");
        assertThat(accessPolicy.deniedCount()).isEqualTo(1);
    }
}
