package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProtectedResourceTest {

    @Test
    void a_fenced_resource_refuses_a_fence_lower_than_an_accepted_one() {
        var protectedResource =
                ProtectedResource.initial(true).afterWrite(1).afterWrite(3).afterWrite(2);
        assertThat(protectedResource).isEqualTo(new ProtectedResource(true, 3, 2, 1, 0));
    }

    @Test
    void a_fenced_resource_accepts_the_same_fence_again() {
        assertThat(ProtectedResource.initial(true).afterWrite(3).afterWrite(3).refused())
                .isZero();
    }

    @Test
    void a_plain_resource_accepts_an_older_fence_as_a_stale_write() {
        var protectedResource =
                ProtectedResource.initial(false).afterWrite(1).afterWrite(3).afterWrite(2);
        assertThat(protectedResource).isEqualTo(new ProtectedResource(false, 3, 3, 0, 1));
    }
}
