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

/** Credentials, permissions and the reload of a policy file. */
class AccessPolicyTest {

    private static final String TOKEN = "3f1c2a9e";

    private static AccessPolicy policy(String... lines) {
        return AccessPolicy.of(List.of(lines), "policy");
    }

    private static final AccessPolicy POLICY = policy(
            "# principals and permissions",
            "",
            AccessPolicy.hashToken(TOKEN) + " billing use,inspect:orders-* use:invoices",
            "certificate ops use,inspect,administer:*",
            "anonymous guest inspect:public-*");

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
    void a_permission_covers_exact_names_and_prefixes(Permission permission, String name, boolean allowed) {
        var billing = POLICY.authenticate(TOKEN, Optional.empty()).orElseThrow();
        assertThat(billing.name()).isEqualTo("billing");
        assertThat(billing.isAllowed(permission, ResourceName.lock(name))).isEqualTo(allowed);
    }

    @Test
    void a_certificate_authenticates_its_common_name() {
        var ops = POLICY.authenticate("", Optional.of("ops")).orElseThrow();
        assertThat(ops.isAllowedEverywhere(Permission.ADMINISTER)).isTrue();
    }

    @Test
    void a_client_without_known_credentials_is_anonymous() {
        assertThat(POLICY.authenticate("", Optional.empty())).hasValueSatisfying(guest -> {
            assertThat(guest.isAllowed(Permission.INSPECT, ResourceName.lock("public-1")))
                    .isTrue();
            assertThat(guest.isAllowed(Permission.USE, ResourceName.lock("public-1")))
                    .isFalse();
            assertThat(guest.isAllowedEverywhere(Permission.INSPECT)).isFalse();
        });
        assertThat(policy("certificate ops use:*").authenticate("", Optional.of("stranger")))
                .isEmpty();
    }

    @Test
    void a_wrong_token_is_denied_even_with_a_known_certificate() {
        assertThat(POLICY.authenticate("wrong", Optional.of("ops"))).isEmpty();
    }

    @Test
    void the_policy_file_holds_only_hashes_of_tokens() {
        assertThat(AccessPolicy.hashToken(TOKEN)).startsWith("sha256:").doesNotContain(TOKEN);
    }

    @Test
    void without_a_policy_every_client_may_do_everything() {
        var anonymous = AccessPolicy.allowAll()
                .authenticate("whatever", Optional.empty())
                .orElseThrow();
        assertThat(anonymous.isAllowedEverywhere(Permission.ADMINISTER)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secret billing use:* | a credential must be certificate, anonymous, or sha256:",
                "certificate billing | must have a credential, a principal and permissions",
                "certificate billing fly:* | a permission must be use, inspect or administer",
                "certificate billing use | must look like",
                "certificate billing use: | must look like",
            })
    void an_invalid_line_is_named_with_its_rule(String line, String rule) {
        assertThatThrownBy(() -> policy("# first", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policy, line 2: ")
                .hasMessageContaining(rule);
    }

    @Test
    void a_credential_must_not_occur_twice() {
        assertThatThrownBy(() -> policy("certificate a use:*", "certificate a inspect:*"))
                .hasMessageContaining("line 2");
    }

    @Test
    void a_changed_policy_file_is_reloaded_and_an_invalid_one_is_ignored(@TempDir Path folder) throws IOException {
        var nanos = new AtomicLong();
        var file = Files.write(folder.resolve("access"), List.of("certificate ops use:*"));
        var accessPolicy = AccessPolicy.of(file, nanos::get);
        assertThat(accessPolicy.authenticate("", Optional.of("ops"))).isPresent();

        Files.write(file, List.of("certificate billing use:*"));
        assertThat(accessPolicy.authenticate("", Optional.of("ops")))
                .as("not yet checked for a change")
                .isPresent();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(accessPolicy.authenticate("", Optional.of("ops"))).isEmpty();
        assertThat(accessPolicy.authenticate("", Optional.of("billing"))).isPresent();
        assertThat(accessPolicy.version()).isEqualTo(2);

        for (List<String> invalid : List.of(List.of("certificate ops fly:*"), List.of("nonsense"))) {
            Files.write(file, invalid);
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
    void denied_requests_are_counted() {
        var accessPolicy = AccessPolicy.allowAll();
        accessPolicy.reportDenied("billing", "127.0.0.1", "acquire orders");
        accessPolicy.reportUnauthenticated("unknown", "127.0.0.1", "connect");
        assertThat(accessPolicy.deniedCount()).isEqualTo(2);
    }

    @Test
    void attempts_without_credentials_are_logged_at_most_once_a_second(@TempDir Path folder) throws IOException {
        var nanos = new AtomicLong();
        var policy =
                AccessPolicy.of(Files.write(folder.resolve("policy"), List.of("certificate ops use:*")), nanos::get);
        assertThat(policy.isLogDue()).isTrue();
        nanos.set(Duration.ofMillis(999).toNanos());
        assertThat(policy.isLogDue()).isFalse();
        nanos.set(Duration.ofSeconds(1).toNanos());
        assertThat(policy.isLogDue()).isTrue();
    }
}
