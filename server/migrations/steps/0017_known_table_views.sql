-- Saved views belong to tables that exist. The usage table had a second name; other names never had a table.
update table_preference p set table_name = 'elasticTransaction'
 where p.table_name = 'UsageTransactions' and not exists (
   select from table_preference o
    where o.email = p.email and o.customer_number = p.customer_number and o.table_name = 'elasticTransaction');
delete from table_preference where table_name not in (
  'emailList', 'alertList', 'alertCategoryList', 'elasticTransaction', 'activeEntitlements', 'inActiveEntitlements',
  'leaseAndPerpetualsActive', 'leaseAndPerpetualsInactive', 'manageActivationsActive', 'manageActivationsInActive',
  'fsaHistory', 'fsaActiveEntitlements', 'fsaInActiveEntitlements');
