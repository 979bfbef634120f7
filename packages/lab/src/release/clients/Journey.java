import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ChargesApi;
import org.openapitools.client.api.WalletApi;
import org.openapitools.client.model.NewCharge;
import org.openapitools.client.model.NewPixCharge;
import org.openapitools.client.model.RefundChargeRequest;

/** Creates, pays and refunds a charge, and reads its statement, with the Java client of openapi-generator. */
public final class Journey {
    private interface Attempt {
        boolean succeeds() throws ApiException;
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("BASE_URL"));
        client.setApiKey(System.getenv("API_KEY"));
        ChargesApi charges = new ChargesApi(client);
        WalletApi wallet = new WalletApi(client);

        NewPixCharge order = new NewPixCharge()
            .amount(2500L)
            .externalId(System.getenv("ORDER"))
            .payerName("Maria da Silva")
            .payerDocument("12345678909");
        UUID id = charges.createCharge(new NewCharge(order), null, null).getData().getId();

        try {
            charges.getCharge(UUID.fromString("01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11"), null);
            throw new IllegalStateException("a charge that does not exist was found");
        } catch (ApiException error) {
            if (error.getCode() != 404) throw error;
        }

        charges.simulatePayment(id, null, null);
        eventually("the refund", () -> {
            charges.refundCharge(id, null, null, new RefundChargeRequest().amount(1000L));
            return true;
        });
        eventually("the statement", () ->
            wallet.getStatement(null, null, null, null, null, null, null, null, null, null).getData().stream()
                .filter(row -> id.equals(row.getChargeId()))
                .count() >= 2);
        System.out.println("the statement has the rows of the charge");
    }

    private static void eventually(String what, Attempt attempt) throws Exception {
        ApiException last = null;
        for (int tries = 0; tries < 60; tries++) {
            try {
                if (attempt.succeeds()) return;
            } catch (ApiException error) {
                last = error;
            }
            Thread.sleep(500);
        }
        throw new IllegalStateException(what + " did not succeed", last);
    }
}
